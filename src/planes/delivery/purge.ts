import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import { assetCount, coverageOf } from '../../domain/publishing/purge-coverage.ts'
import type { Purges, PurgeTarget } from '../../domain/publishing/purges.ts'
import { operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import { dryRunJson, dryRunFields, dryRunBody, dryRunQuery, isDryRunOf } from '../dry-run.ts'

export interface PurgeDependencies {
  readonly purges: Purges
  /** Whether a host name is the service's own or a zone's. */
  readonly isOurHost: (hostname: string, request: Request) => boolean
  /** The zone that owns a custom host name. */
  readonly zoneOfHost: (hostname: string) => string | undefined
  readonly catalog: Catalog
  readonly now: () => Date
}

const maxItems = 30
const tagPattern = /^[A-Za-z0-9_-]{1,128}$/u

/** Of what type each item is, is looked at with what it says: bad ones are told in `invalid`. */
const item = z.unknown().meta({ type: 'string' })

const purgeRequest = z.object({
  urls: z.array(item).optional().describe('1 to 30, absolute on a host of ours or a path'),
  tags: z.array(item).optional().describe('1 to 30 surrogate tags'),
  purge_everything: z.boolean().optional(),
  everything: z.boolean().optional().describe('The same as `purge_everything`'),
  soft: z.boolean().optional().describe('Mark as stale instead of forgetting'),
  ...dryRunBody,
})

const purgeResponse = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  success: z.literal(true),
  purged: z.union([z.array(z.string()), z.literal('everything')]),
  remaining_today: z.int(),
  ...dryRunFields,
  matches: z
    .array(
      z.object({
        item: z.string(),
        exists: z
          .boolean()
          .nullable()
          .describe('Whether there is anything that it could mean; `null` where that is not known'),
        assets: z.int().nullable().describe('`null` where it is not known beforehand'),
      }),
    )
    .optional()
    .describe('Of a dry run: what each URL or tag means'),
  assets: z.int().optional().describe('Of a dry run of everything: how many assets are stored'),
  DateCreated: z.iso.datetime(),
})

/** `POST /api/purge`. */
export const purgeOperation = operation({
  id: 'purge',
  plane: 'delivery',
  method: 'post',
  path: '/api/purge',
  summary: 'Make every edge forget by URL, by tag, or everything',
  example: { body: { urls: ['/acme/v1/logos/logo.svg'] } },
  description:
    'Exactly one of `urls`, `tags` and `purge_everything`. When this is answered, this node serves nothing of what was purged; every other edge follows within a second.',
  access: { keys: ['purge'], scope: 'purge:write', session: true },
  envelope: 'flat',
  query: z.object(dryRunQuery),
  body: { kind: 'json', schema: purgeRequest },
  responses: { 200: { description: 'Purged', schema: purgeResponse } },
}).handledBy(
  (dependencies: PurgeDependencies) =>
    async ({ query, body, request, caller, respond }) => {
      const { purges, isOurHost, zoneOfHost, catalog, now } = dependencies
      const target = targetOf(body, (url) => isPurgeable(url, request, isOurHost))
      if (target.kind === 'everything') requireAllZones(caller)
      const isDryRun = isDryRunOf(query, body)
      const purge = { target: withZones(target, zoneOfHost), soft: body.soft === true }
      const remaining = await purges[isDryRun ? 'check' : 'purge'](purge, actorOf(caller))
      return respond(200, {
        HttpCode: 200,
        Message: isDryRun ? 'Nothing was purged: dry run' : 'Purged',
        success: true,
        purged: purgedOf(target),
        remaining_today: remaining,
        ...dryRunJson(isDryRun),
        ...(isDryRun && whatWouldGo(target, purge.target, catalog)),
        DateCreated: now().toISOString(),
      })
    },
)

function targetOf(
  { urls, tags, purge_everything, everything }: z.infer<typeof purgeRequest>,
  isValidUrl: (url: string) => boolean,
): PurgeTarget {
  const isEverything = purge_everything === true || everything === true
  const given = [urls !== undefined, tags !== undefined, isEverything].filter(Boolean).length
  if (given !== 1)
    throw invalid('body', 'must have exactly one of urls, tags and purge_everything: true')
  if (urls) return { kind: 'urls', urls: checked('urls', urls, isValidUrl) }
  if (tags) return { kind: 'tags', tags: checked('tags', tags, (tag) => tagPattern.test(tag)) }
  return { kind: 'everything' }
}

/** All or nothing: one bad item and nothing is purged, nor counted. */
function checked(
  field: 'urls' | 'tags',
  items: readonly unknown[],
  isValid: (item: string) => boolean,
): readonly string[] {
  if (items.length < 1 || items.length > maxItems)
    throw invalid(field, `must hold 1 to ${maxItems} items`)
  const good = items.filter((each) => typeof each === 'string' && isValid(each))
  if (good.length === items.length) return good as readonly string[]
  const bad = items.filter((each) => !good.includes(each))
  const why =
    field === 'tags'
      ? 'must each be 1 to 128 letters, digits, hyphens and underscores, such as zone-acme'
      : 'must each be a path, or a URL on a host of this service'
  throw new ServiceError('InvalidParameter', `${field} ${why}`, {
    target: field,
    context: { invalid: bad },
  })
}

function isPurgeable(
  url: string,
  request: Request,
  isOurHost: PurgeDependencies['isOurHost'],
): boolean {
  if (/^\/(?![/\\])/u.test(url)) return true
  const parsed = /^https?:\/\//iu.test(url) ? URL.parse(url) : null
  return parsed !== null && parsed.username === '' && isOurHost(parsed.hostname, request)
}

/** Edges know an address by its path; on a host of a zone's own the zone is not in it. */
function withZones(target: PurgeTarget, zoneOfHost: PurgeDependencies['zoneOfHost']): PurgeTarget {
  if (target.kind !== 'urls') return target
  const urls = target.urls.map((url) => {
    const parsed = url.startsWith('/') ? null : URL.parse(url)
    const zone = parsed === null ? undefined : zoneOfHost(parsed.hostname)
    return parsed !== null && zone !== undefined && parsed.pathname.startsWith('/v1/')
      ? `/${zone}${parsed.pathname}${parsed.search}`
      : url
  })
  return { kind: 'urls', urls }
}

/** Told in the words of whoever asked: on a host of a zone's own, the zone is not in the address. */
function whatWouldGo(asked: PurgeTarget, meant: PurgeTarget, catalog: Catalog) {
  if (meant.kind === 'everything') return { assets: assetCount(catalog) }
  const items = asked.kind === 'urls' ? asked.urls : meant.kind === 'tags' ? meant.tags : []
  return {
    matches: coverageOf(meant, catalog).map(({ exists, assets }, index) => ({
      item: items[index] ?? '',
      exists: exists ?? null,
      assets: assets ?? null,
    })),
  }
}

const purgedOf = (target: PurgeTarget): readonly string[] | 'everything' => {
  if (target.kind === 'urls') return target.urls
  return target.kind === 'tags' ? target.tags : 'everything'
}
