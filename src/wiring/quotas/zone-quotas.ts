import { SqlUsageStore } from '../../adapters/sql/usage/sql-usage-store.ts'
import { SqlWebhookStore } from '../../adapters/sql/webhooks/sql-webhook-store.ts'
import type { ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import { monthOf } from '../../domain/insights/period.ts'
import { createQuotaWatch, type QuotaWatch } from '../../domain/quotas/quota-watch.ts'
import { createZoneUses, type ZoneUses } from '../../domain/quotas/zone-uses.ts'
import type { Access } from '../access/access.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

export interface ZoneQuotasOpen {
  readonly bounds: ZoneBounds
  readonly uses: ZoneUses
  readonly watch: QuotaWatch
}

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly access: Pick<Access, 'operations'>
  readonly opening: AsyncDisposableStack
}

const lookEveryMs = 5_000

/** How much zones use of what they may, and what comes of it. */
export function openZoneQuotas(
  { log, now }: Pick<World, 'log' | 'now'>,
  { stores, publishing, access, opening }: Opened,
): ZoneQuotasOpen {
  const { catalog, publisher, domains, feed, bounds } = publishing
  const { quotas, publications, database } = stores
  const usage = new SqlUsageStore(database)
  const webhooks = new SqlWebhookStore(database)
  const reaching = (zone: string) =>
    access.operations.tokens
      .list({ zones: undefined })
      .filter((token) => token.zones?.includes(zone) === true).length
  const uses = createZoneUses({
    shown: catalog,
    quotas,
    sumsOf: async (zones, at) =>
      zones.size === 0 ? new Map() : await usage.sums({ ...monthOf(at), zones }),
    counts: {
      webhooks: async (zone) =>
        (await webhooks.list()).filter((each) => each.zones?.includes(zone) === true).length,
      domains: (zone) => domains.listOf(zone).length,
      tokens: reaching,
    },
    now,
  })
  const watch = createQuotaWatch({
    bounds,
    uses,
    zones: () => catalog.zones(),
    setDelivery: (zone, delivery) => publisher.setDelivery(zone, delivery),
    claim: async (name, window) =>
      (await quotas.take({ name, window, amount: 1, limit: 1 })) !== undefined,
    announce: async (entries) => feed.announce(await publications.publish([{ feed: entries }])),
    now,
    log,
  })
  forgetBounds(bounds, feed, opening)
  keepLooking(watch, opening)
  return { bounds, uses, watch }
}

/** A zone that is made anew has nothing of what was said of the former one. */
function forgetBounds(
  bounds: ZoneBounds,
  feed: Publishing['feed'],
  opening: AsyncDisposableStack,
): void {
  opening.use(
    feed.subscribe((entries) => {
      for (const { event, zone } of entries)
        if (event === 'zone.deleted' && zone !== undefined) bounds.forget(zone)
    }),
  )
}

function keepLooking(watch: QuotaWatch, opening: AsyncDisposableStack): void {
  let running: Promise<void> = Promise.resolve()
  let isLooking = false
  const look = (): void => {
    if (isLooking) return
    isLooking = true
    running = watch.look().finally(() => {
      isLooking = false
    })
  }
  look()
  const timer = setInterval(look, lookEveryMs)
  opening.defer(async () => {
    clearInterval(timer)
    await running
  })
}
