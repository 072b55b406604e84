import { SqlTrafficStore } from '../adapters/sql/traffic/sql-traffic-store.ts'
import { SqlUsageStore } from '../adapters/sql/usage/sql-usage-store.ts'
import { createCallCounter } from '../domain/insights/call-counter.ts'
import { createUsageReports } from '../domain/insights/usage.ts'
import { createAssetSeries } from '../domain/insights/asset-series.ts'
import { createReports } from '../domain/insights/reports.ts'
import { createSeriesReports } from '../domain/insights/series.ts'
import {
  type Beacon,
  createTrafficCollector,
  type TrafficListener,
} from '../domain/insights/traffic-collector.ts'
import type { HitRow } from '../edge/hits/hit-counter.ts'
import { createHitTap, type HitTap } from '../edge/hits/hit-tap.ts'
import { createEventStreams } from '../http/response/event-streams.ts'
import { isFromDashboard } from '../planes/access/from-dashboard.ts'
import { createDeliveryCounter } from '../planes/delivery/count-deliveries.ts'
import { sessionSecretsOf } from './access/access.ts'
import { openCountries } from './delivery/asset-edge.ts'
import { keepHouse } from './content/housekeeping.ts'
import type { RequestLogStore } from '../ports/traffic/request-log-store.ts'
import type { LogStore } from '../ports/traffic/log-store.ts'
import type { AudienceRow, TrafficFlush, TrafficStore } from '../ports/traffic/traffic-store.ts'
import type { Measuring } from './metrics/measuring.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import { withPreviewHosts } from './delivery/host-purposes.ts'
import type { World } from './world.ts'

export type Insights = Awaited<ReturnType<typeof openInsights>>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
  readonly logs: LogStore
  readonly requestStore: Pick<RequestLogStore, 'forgetBefore'>
  readonly measuring: Measuring | undefined
}

/** Counting what is delivered, and the reports about it. */
export async function openInsights(world: World, opened: Opened) {
  const { stores, publishing, opening, measuring, logs, requestStore } = opened
  const { config, log, now, newId } = world
  const store = new SqlTrafficStore(stores.database)
  const calls = createCallCounter()
  const transfers = world.connections?.transfers
  const tap = createHitTap({ beforeDrain: () => transfers?.settle() })
  const countryOf = await openCountries(config)
  const isOwn = isFromDashboard(sessionSecretsOf(config))
  const collector = opening.use(
    createTrafficCollector({
      store,
      drain: () => tap.drain(),
      takeAudience: () => tap.audience.take(),
      takeCalls: () => calls.take(),
      process: newId(),
      now,
      ...(measuring && { onTick: measuring.onTick }),
      log,
    }),
  )
  opening.defer(() => transfers?.finish())
  const eventStreams = createEventStreams()
  let collectHits: (() => Promise<void>) | undefined
  opening.defer(() => eventStreams.closeAll())
  keepHouse(world, { traffic: store, stores, logs, requests: requestStore, opening })
  return {
    tap,
    calls,
    countryOf,
    isOwn,
    eventStreams,
    countDelivery: createDeliveryCounter({
      counters: tap,
      transfers,
      manifest: withPreviewHosts(publishing.manifest, config.previewHost),
      countryOf,
      isOwn,
    }),
    countHits: hitsInto(tap),
    /** Adds what an edge elsewhere counted, once however often it is sent. */
    async recordTraffic(flush: TrafficFlush): Promise<void> {
      if (await store.record(flush)) collector.show(flush.rows)
    },
    /** Names how to fetch what others counted and have not sent yet. */
    collectHitsWith(collect: () => Promise<void>): void {
      collectHits = collect
    },
    /** Fetches what workers noted of requests. */
    collectLines: async (): Promise<void> => await collectHits?.(),
    /** What operations work with. */
    operations: {
      ...reportsOf(stores, store, now),
      async flushTraffic(): Promise<void> {
        await collectHits?.()
        await collector.flush()
      },
      watchTraffic: (listener: TrafficListener) => collector.watch(listener),
      countBeacon: (beacon: Beacon) => collector.beacon(beacon),
      eventStreams,
    },
  }
}

/** What is read of what was counted. */
export const reportsOf = (
  { database }: Pick<Stores, 'database'>,
  store: TrafficStore,
  now: () => Date,
) => ({
  reports: createReports({ store, now }),
  usage: createUsageReports({ store: new SqlUsageStore(database) }),
  series: createSeriesReports({ store, now }),
  assetSeries: createAssetSeries({ store }),
})

/** Adds what another process counted. */
const hitsInto =
  (tap: HitTap) =>
  (rows: readonly HitRow[], audience: readonly AudienceRow[]): void => {
    tap.audience.add(audience)
    tap.add(rows)
  }
