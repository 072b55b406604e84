import {
  createLimitBook,
  type LimitBook,
  type NamedCount,
} from '../../domain/access/quotas/limit-book.ts'
import { monthEnd } from '../../domain/access/quotas/used-up.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../lib/zone-quota-names.ts'
import { softPercent, zoneQuotas as quotaTable } from '../../domain/access/quotas/zone-quotas.ts'
import type { Tokens } from '../../domain/access/tokens/tokens.ts'
import type { UploadGrants } from '../../domain/uploads/grants/grants.ts'
import type { UploadsInUse } from '../../domain/uploads/staged-uploads.ts'
import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import type { Limits } from './limits.ts'
import type { Publishing } from '../content/publishing.ts'
import type { ZoneQuotasOpen } from '../quotas/zone-quotas.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly limits: Limits
  readonly publishing: Pick<Publishing, 'domains' | 'previewBook'>
  readonly tokens: Pick<Tokens, 'list'>
  readonly webhooks: Pick<Webhooks, 'list'>
  readonly grants: Pick<UploadGrants, 'list'>
  readonly inUse: UploadsInUse
  readonly zoneQuotas: Pick<ZoneQuotasOpen, 'bounds' | 'uses'>
}

const operator = { zones: undefined }

/** Every bound of all and of a zone, with its setting. */
export function openLimitBook(
  { config, now }: Pick<World, 'config' | 'now'>,
  { limits, publishing, tokens, webhooks, grants, inUse, zoneQuotas }: Opened,
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
          limit: zoneQuotas.bounds.limitOr(zone, 'webhooks', config.webhooksPerZone),
          reserved: undefined,
          count: () => hearing(zone, webhooks),
        },
        {
          name: 'domains',
          setting: 'DOMAINS_PER_ZONE',
          limit: zoneQuotas.bounds.limitOr(zone, 'domains', config.domainsPerZone),
          reserved: undefined,
          count: () => publishing.domains.listOf(zone).length,
        },
        previewCountOf(zone, config, publishing),
        tokenCountOf(zone, zoneQuotas.bounds.limitOr(zone, 'tokens', config.tokensPerZone), tokens),
        grantCountOf(zone, config, grants),
        ...uploadCountsOf(zone, config, inUse),
        ...quotaCountsOf(zone, zoneQuotas, now()),
      ].filter(({ limit }) => Number.isFinite(limit)),
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

const tokenCountOf = (zone: string, limit: number, tokens: Opened['tokens']) => ({
  name: 'tokens',
  setting: 'TOKENS_PER_ZONE',
  limit,
  reserved: undefined,
  count: () => tokens.list(operator).filter((each) => each.zones?.includes(zone) === true).length,
})

/** Those that have rows of their own, since a setting is for each. */
const namedElsewhere: ReadonlySet<ZoneQuotaName> = new Set(['webhooks', 'domains', 'tokens'])

function quotaCountsOf(
  zone: string,
  { bounds, uses }: Pick<ZoneQuotasOpen, 'bounds' | 'uses'>,
  at: Date,
): readonly NamedCount[] {
  let sums: ReturnType<typeof uses.sums> | undefined
  return zoneQuotaNames.flatMap((name) => {
    const limit = bounds.limitOf(zone, name)
    if (limit === undefined || namedElsewhere.has(name)) return []
    const count = async (): Promise<number> => {
      sums ??= uses.sums(new Set([zone]))
      const read = await uses.of(zone, (await sums).get(zone), (each) => each === name)
      return read[name] ?? 0
    }
    const { window } = quotaTable[name]
    const resets = window === undefined ? {} : { window, resetsAt: monthEnd(at) }
    const warnShare = softPercent / 100
    return [
      { name, setting: 'ZONE_QUOTAS', limit, reserved: undefined, count, warnShare, ...resets },
    ]
  })
}

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
