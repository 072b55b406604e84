import { createLimitBook, type LimitBook } from '../../domain/access/quotas/limit-book.ts'
import type { Tokens } from '../../domain/access/tokens/tokens.ts'
import type { UploadGrants } from '../../domain/uploads/grants/grants.ts'
import type { UploadsInUse } from '../../domain/uploads/staged-uploads.ts'
import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import type { Limits } from './limits.ts'
import type { Publishing } from '../content/publishing.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly limits: Limits
  readonly publishing: Pick<Publishing, 'domains' | 'previewBook'>
  readonly tokens: Pick<Tokens, 'list'>
  readonly webhooks: Pick<Webhooks, 'list'>
  readonly grants: Pick<UploadGrants, 'list'>
  readonly inUse: UploadsInUse
}

const operator = { zones: undefined }

/** Every bound of all and of a zone, with its setting. */
export function openLimitBook(
  { config }: Pick<World, 'config'>,
  { limits, publishing, tokens, webhooks, grants, inUse }: Opened,
): LimitBook {
  return createLimitBook(
    {
      quotas: [
        { name: 'transforms', setting: 'TRANSFORMS_PER_MONTH', quota: limits.transforms },
        { name: 'chats', setting: 'CHATS_PER_MONTH', quota: limits.chats },
        { name: 'purges', setting: 'PURGES_PER_DAY', quota: limits.purges },
      ],
      counts: [
        {
          name: 'webhooks',
          setting: 'WEBHOOKS',
          limit: Math.max(0, config.webhooks - config.webhooksReserved),
          reserved: Math.min(config.webhooks, config.webhooksReserved),
          count: async () => (await webhooks.list(operator)).length,
        },
      ],
    },
    (zone) => ({
      quotas: [
        {
          name: 'transforms',
          setting: 'TRANSFORMS_ZONE_SHARE',
          quota: limits.transformsOf(zone),
        },
        { name: 'purges', setting: 'PURGES_PER_ZONE', quota: limits.purgesOf(zone) },
        { name: 'added domains', setting: 'DOMAINS_PER_DAY', quota: limits.domainsOf(zone) },
      ],
      counts: [
        {
          name: 'webhooks',
          setting: 'WEBHOOKS_PER_ZONE',
          limit: config.webhooksPerZone,
          reserved: undefined,
          count: () => hearing(zone, webhooks),
        },
        {
          name: 'domains',
          setting: 'DOMAINS_PER_ZONE',
          limit: config.domainsPerZone,
          reserved: undefined,
          count: () => publishing.domains.listOf(zone).length,
        },
        previewCountOf(zone, config, publishing),
        tokenCountOf(zone, config, tokens),
        grantCountOf(zone, config, grants),
        ...uploadCountsOf(zone, config, inUse),
      ],
    }),
    (address) => ({ quotas: [], counts: [openFrom(address, config, inUse)] }),
  )
}

const hearing = async (zone: string, webhooks: Opened['webhooks']) =>
  (await webhooks.list(operator)).filter((each) => each.zones?.includes(zone) === true).length

const previewCountOf = (
  zone: string,
  { previewsPerZone: limit }: Pick<World['config'], 'previewsPerZone'>,
  { previewBook }: Pick<Publishing, 'previewBook'>,
) => ({
  name: 'previews',
  setting: 'PREVIEWS_PER_ZONE',
  limit,
  reserved: undefined,
  count: () => previewBook.ofZone(zone).length,
})

const tokenCountOf = (
  zone: string,
  { tokensPerZone: limit }: Pick<World['config'], 'tokensPerZone'>,
  tokens: Opened['tokens'],
) => ({
  name: 'tokens',
  setting: 'TOKENS_PER_ZONE',
  limit,
  reserved: undefined,
  count: () => tokens.list(operator).filter((each) => each.zones?.includes(zone) === true).length,
})

const grantCountOf = (
  zone: string,
  { uploadGrantsPerZone: limit }: Pick<World['config'], 'uploadGrantsPerZone'>,
  grants: Opened['grants'],
) => ({
  name: 'upload grants',
  setting: 'UPLOAD_GRANTS_PER_ZONE',
  limit,
  reserved: undefined,
  count: async () => (await grants.list({ zone, offset: 0, limit: 1 }, operator)).count,
})

const uploadCountsOf = (
  zone: string,
  { uploadsPerZone, maxStagedGb }: Pick<World['config'], 'uploadsPerZone' | 'maxStagedGb'>,
  inUse: UploadsInUse,
) => [
  {
    name: 'unfinished uploads',
    setting: 'UPLOADS_PER_ZONE',
    limit: uploadsPerZone,
    reserved: undefined,
    count: () => inUse.openIn(zone),
  },
  {
    name: 'bytes of unfinished uploads',
    setting: 'MAX_STAGED_GB',
    limit: maxStagedGb * 2 ** 30,
    reserved: undefined,
    count: () => inUse.bytesIn(zone),
  },
]

const openFrom = (
  address: string,
  { uploadsPerNetwork: limit }: Pick<World['config'], 'uploadsPerNetwork'>,
  inUse: UploadsInUse,
) => ({
  name: 'unfinished uploads',
  setting: 'UPLOADS_PER_NETWORK',
  limit,
  reserved: undefined,
  count: () => inUse.openFrom(address),
})
