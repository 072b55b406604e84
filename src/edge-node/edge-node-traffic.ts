import { SqlTrafficSpool } from '../adapters/sql/traffic/sql-traffic-spool.ts'
import { createPrefetch } from '../domain/edges/prefetch.ts'
import { createTrafficRelay } from '../domain/edges/traffic-relay.ts'
import { createTrafficCollector } from '../domain/insights/traffic-collector.ts'
import { createHitTap } from '../edge/hits/hit-tap.ts'
import { isFromDashboard } from '../planes/access/from-dashboard.ts'
import { createDeliveryCounter } from '../planes/delivery/count-deliveries.ts'
import type { BlobStore } from '../ports/content/blob-store.ts'
import { openCountries } from '../wiring/delivery/asset-edge.ts'
import { spanOf } from '../wiring/metrics/spans.ts'
import type { EdgeNodeMeasuring } from './edge-node-metrics.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'
import { withPreviewHosts } from '../wiring/delivery/host-purposes.ts'

export type Traffic = Awaited<ReturnType<typeof openTraffic>>

/** What waits while the origin is away: days of a busy edge. */
const maxSpoolCharacters = 256 * 2 ** 20

interface Opened {
  readonly replicated: Replicated
  readonly blobs: Pick<BlobStore, 'open'>
  readonly measuring: EdgeNodeMeasuring | undefined
  readonly opening: AsyncDisposableStack
}

/** Counting what this edge delivers, for the origin; and what is often asked for, to have it early. */
export async function openTraffic(
  { settings, log, now, newId, connections, telemetry }: EdgeNodeWorld,
  { replicated, blobs, measuring, opening }: Opened,
) {
  const { database, origin, replica } = replicated
  const { published, feed } = replica
  const spool = new SqlTrafficSpool(database, { maxCharacters: maxSpoolCharacters })
  const relay = opening.use(createTrafficRelay({ spool, origin, log }))
  const prefetch = opening.use(
    createPrefetch({ feed, published, fetchBlob: (sha256) => blobs.open(sha256) }),
  )
  const transfers = connections?.transfers
  const tap = createHitTap({ beforeDrain: () => transfers?.settle() })
  opening.use(
    createTrafficCollector({
      store: relay,
      drain() {
        const rows = tap.drain()
        // A long download counts bytes again and again, and is asked for once.
        const asked = rows.filter(({ isAsset, requests }) => isAsset && requests > 0)
        prefetch.note(asked.map(({ path }) => path))
        return rows
      },
      takeAudience: () => tap.audience.take(),
      process: newId(),
      now,
      ...(measuring !== undefined && { onTick: measuring.onTick }),
      log,
    }),
  )
  opening.defer(() => transfers?.finish())
  const countryOf = await openCountries(settings)
  const isOwn = isFromDashboard(settings.sessionSecrets)
  const count = createDeliveryCounter({
    counters: tap,
    transfers,
    manifest: withPreviewHosts(published, settings.previewHost),
    countryOf,
    isOwn,
  })
  const addSpan = telemetry?.addSpan
  const countDelivery: typeof count = (answered) => {
    count(answered)
    addSpan?.(spanOf(answered))
  }
  return { tap, relay, countryOf, isOwn, countDelivery }
}
