import { SqlEdgeStore } from '../adapters/sql/edges/sql-edge-store.ts'
import { createChangeFeed } from '../domain/edges/feed/change-feed.ts'
import { ownCertificates } from '../domain/edges/certificates/handed-out-certificates.ts'
import { ownImages } from '../domain/edges/images/handed-out-images.ts'
import { handedOutPast } from '../domain/edges/past/handed-out-past.ts'
import { openEdgeRegistry } from '../domain/edges/edge-registry.ts'
import { grantLease } from '../domain/edges/grant-lease.ts'
import {
  createManifestParts,
  type PublishedState,
} from '../domain/edges/manifest/manifest-parts.ts'
import { beginning, positionOf } from '../domain/edges/manifest/manifest-root.ts'
import type { Config } from '../config/config.ts'
import { createBroadcasts } from '../http/response/broadcasts.ts'
import type { Caller } from '../http/operation.ts'
import { isLoopback } from '../lib/net/address-list.ts'
import type { Acknowledgement, QuotaLease } from '../ports/edges/edge-origin.ts'
import type { TrafficFlush } from '../ports/traffic/traffic-store.ts'
import type { Certificates } from './certificates.ts'
import type { Insights } from './insights.ts'
import type { Limits } from './access/limits.ts'
import type { Media } from './media.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

export type Edges = Awaited<ReturnType<typeof openEdges>>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly insights: Insights
  readonly certificates: Pick<Certificates, 'all' | 'get'>
  readonly media: Pick<Media, 'media' | 'copies' | 'indexes'>
  readonly limits: Pick<Limits, 'leases'>
  readonly opening: AsyncDisposableStack
}

/** After a restart so many entries can be told again without comparing manifests. */
const maxRemembered = 2_000

/** What edges elsewhere follow, and what is known of them. */
export async function openEdges(world: World, opened: Opened) {
  const { log, now } = world
  const { stores, publishing, insights, certificates, media, opening } = opened
  const { publications, database, quotas } = stores
  const { feed } = publishing
  const published = publishedState(publishing, stores)
  const { seq } = await publications.position()
  const recent = await publications.feedAfter(Math.max(0, seq - maxRemembered), maxRemembered)
  const last = recent.at(-1)
  const changes = opening.use(
    createChangeFeed({
      feed,
      published,
      recent,
      position: last === undefined ? beginning : positionOf(last),
      onFault: (error) => log.error('the feed of the edges has a gap', { error }),
    }),
  )
  const registry = opening.use(
    await openEdgeRegistry({
      store: new SqlEdgeStore(database),
      now,
      log,
    }),
  )
  const broadcasts = createBroadcasts()
  opening.defer(() => broadcasts.closeAll())
  const terms = { store: quotas, ...opened.limits.leases, now }
  return {
    broadcasts,
    /** What operations work with. */
    operations: {
      changes,
      isCurrent: () => true,
      broadcasts,
      manifestParts: opening.use(createManifestParts({ published, feed })),
      handedOutImages: ownImages(media.media, media.copies, media.indexes),
      handedOutPast: handedOutPast(publishing.pinSource, publishing.bytes),
      handedOut: ownCertificates(certificates),
      isPrivateWay: privateWays(world.config),
      edges: registry,
      acknowledge: (all: readonly Acknowledgement[]) => registry.acknowledge(all),
      recordTraffic: (flush: TrafficFlush) => insights.recordTraffic(flush),
      leaseQuota: (lease: QuotaLease) => grantLease(lease, terms),
      seqOfCommit: (commitId: string) => lastOfCommit(commitId, stores),
    },
  }
}

/** It was published under one of the ids that it has had. */
async function lastOfCommit(commitId: string, { content, publications }: Stores) {
  const found = await publications.lastOfCommit(commitId)
  if (found !== undefined || content.former.count === 0) return found
  for (const id of content.former.idsOf(commitId)) {
    const former = await publications.lastOfCommit(id)
    if (former !== undefined) return former
  }
  return undefined
}

/** What is in front of the service is believed where it is trusted and says that it was asked over https. */
export const privateWays =
  ({ edgeKeysOverHttp }: Pick<Config, 'edgeKeysOverHttp'>) =>
  ({ cameOverTls, ip }: Pick<Caller, 'cameOverTls' | 'ip'>): boolean =>
    edgeKeysOverHttp || cameOverTls === true || isLoopback(ip)

const publishedState = (
  { catalog, manifest, domains, previewBook }: Publishing,
  { erased }: Stores,
): PublishedState => ({
  ...manifest,
  erased: () => erased.all(),
  zones: () => catalog.zones(),
  zoneFiles: (zone) => catalog.zoneFiles(zone),
  host: (hostname) => domains.ofHost(hostname),
  hostsOf: (zone) => domains.servedOf(zone),
  previewsOf: (zone) => previewBook.ofZone(zone),
})
