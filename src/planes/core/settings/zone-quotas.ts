import { z } from 'zod'

import { requireZone } from '../../../domain/access/actor.ts'
import { monthEnd } from '../../../domain/access/quotas/used-up.ts'
import type { ZoneBounds } from '../../../domain/access/quotas/zone-bounds.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../../lib/zone-quota-names.ts'
import { softPercent, zoneQuotas } from '../../../domain/access/quotas/zone-quotas.ts'
import { invalid, zoneNotFound } from '../../../domain/errors.ts'
import type { QuotaWatch } from '../../../domain/quotas/quota-watch.ts'
import type { ZoneUses } from '../../../domain/quotas/zone-uses.ts'
import { type Caller, type HandledOperation, operation } from '../../../http/operation.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { actorOf } from '../../caller.ts'
import { zoneParams } from '../zone-schemas.ts'

export interface ZoneQuotasDependencies {
  readonly quotas: {
    readonly bounds: ZoneBounds
    readonly uses: ZoneUses
    readonly watch: Pick<QuotaWatch, 'look'>
  }
  readonly published: Pick<Manifest, 'zone'>
  readonly now: () => Date
}

const quota = z.object({
  Name: z.enum(zoneQuotaNames),
  Counts: z.string().describe('What is counted'),
  Unit: z.enum(['bytes', 'count']),
  Window: z.literal('month').nullable().describe('UTC; null where it does not come back with time'),
  Limit: z.int().nullable().describe('Null where nothing bounds it'),
  Own: z.boolean().describe('Whether it was said of this zone; else it is as for every zone'),
  Used: z.int(),
  Warns: z.int().nullable().describe('From here on `quota.warning` is told'),
  Resets: z.iso.datetime().nullable(),
})

const usedUp = z
  .enum(['degrade', 'cut'])
  .describe(
    'What is made of delivery when traffic, requests or new variants are used up: stored files go on and stand for images that would have to be made, or nothing is delivered (429)',
  )

const quotaList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Zone: z.string(),
  WhenUsedUp: usedUp,
  Delivery: z.enum(['whole', 'degraded', 'cut']).describe('As it is now'),
  Quotas: z.array(quota),
  DateFetched: z.iso.datetime(),
})

const largest = Number.MAX_SAFE_INTEGER
const limit = z.union([z.int().min(0).max(largest), z.literal('default')]).nullable()
const limits = z.strictObject(
  Object.fromEntries(zoneQuotaNames.map((name) => [name, limit.optional()])) as Record<
    ZoneQuotaName,
    z.ZodOptional<typeof limit>
  >,
)

const wanted = z.strictObject({
  Quotas: limits
    .optional()
    .describe(
      'A number, null for no bound, or `default` for what holds for every zone; what is left out stays. For credentials that reach all zones',
    ),
  WhenUsedUp: usedUp.optional(),
})

const common = {
  plane: 'core',
  envelope: 'standard',
  path: '/api/core/zones/{id}/quotas',
  params: zoneParams,
  responses: { 200: { description: 'Each with what is used of it', schema: quotaList } },
} as const

const getZoneQuotas = operation({
  ...common,
  id: 'getZoneQuotas',
  method: 'get',
  summary: 'Show what a zone may have and use, and what it does',
  example: { params: { id: 'acme' } },
  access: { keys: ['account'], scope: 'zones:read', session: true },
}).handledBy((dependencies: ZoneQuotasDependencies) => async ({ params, caller, respond }) => {
  requireShown(params.id, caller, dependencies)
  return respond(200, await quotasJson(params.id, dependencies))
})

const setZoneQuotas = operation({
  ...common,
  id: 'setZoneQuotas',
  method: 'put',
  summary: 'Say what a zone may have and use',
  example: { params: { id: 'acme' }, body: { Quotas: { bytes: 50_000_000_000, files: null } } },
  description:
    'It holds from the response on. What is there already stays, whatever is said; nothing more is taken in before it is less. `WhenUsedUp` is for the zone itself to say as well.',
  access: { keys: ['account'], scope: 'zones:write', session: true },
  body: { kind: 'json', schema: wanted },
}).handledBy(
  (dependencies: ZoneQuotasDependencies) =>
    async ({ params, body, caller, respond }) => {
      const { bounds, watch } = dependencies.quotas
      requireShown(params.id, caller, dependencies)
      const { Quotas, WhenUsedUp } = body
      if (Quotas === undefined && WhenUsedUp === undefined)
        throw invalid('body', 'must set Quotas or WhenUsedUp')
      const change = {
        ...(Quotas !== undefined && { limits: given(Quotas) }),
        ...(WhenUsedUp !== undefined && { whenUsedUp: WhenUsedUp }),
      }
      await bounds.change(params.id, change, actorOf(caller))
      await watch.look()
      return respond(200, await quotasJson(params.id, dependencies))
    },
)

function requireShown(
  zone: string,
  caller: Caller,
  { published }: Pick<ZoneQuotasDependencies, 'published'>,
): void {
  requireZone(caller, zone)
  if (published.zone(zone) === undefined) throw zoneNotFound(zone)
}

type Limit = number | null | 'default'

const given = (
  all: Readonly<Partial<Record<ZoneQuotaName, Limit | undefined>>>,
): Partial<Record<ZoneQuotaName, Limit>> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

async function quotasJson(
  zone: string,
  { quotas: { bounds, uses }, published, now }: ZoneQuotasDependencies,
): Promise<z.infer<typeof quotaList>> {
  const at = now()
  const sums = await uses.sums(new Set([zone]))
  const use = await uses.of(zone, sums.get(zone))
  const resets = monthEnd(at).toISOString()
  return {
    HttpCode: 200,
    Message: `${zoneQuotaNames.length} quotas`,
    Zone: zone,
    WhenUsedUp: bounds.whenUsedUp(zone),
    Delivery: published.zone(zone)?.delivery ?? 'whole',
    Quotas: zoneQuotaNames.map((name) => {
      const { counts, unit, window } = zoneQuotas[name]
      const bound = bounds.limitOf(zone, name) ?? null
      return {
        Name: name,
        Counts: counts,
        Unit: unit,
        Window: window ?? null,
        Limit: bound,
        Own: bounds.isOwn(zone, name),
        Used: use[name],
        Warns: bound === null ? null : Math.ceil((bound * softPercent) / 100),
        Resets: window === undefined ? null : resets,
      }
    }),
    DateFetched: at.toISOString(),
  }
}

/** `/api/core/zones/{id}/quotas`. */
export const zoneQuotaOperations: readonly HandledOperation<ZoneQuotasDependencies>[] = [
  getZoneQuotas,
  setZoneQuotas,
]
