import { setImmediate } from 'node:timers/promises'

import type { Catalog } from '../../catalog/catalog.ts'
import type { Feed } from '../../../ports/records/manifest.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type {
  FeedPosition,
  HostChange,
  HostRecord,
  ReplicaStep,
  ReplicaStore,
} from '../../../ports/edges/replica-store.ts'
import { createFeed, type LocalFeed } from '../../feed.ts'
import { assetCountOf } from '../../catalog/order/publication-parts.ts'
import { createPreviewMap } from '../../content/previews/preview-map.ts'
import { type Comparison, comparisonEntries, stepOf } from '../manifest/compare-manifests.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'
import type { ReplicaChange } from './replica-change.ts'

/** What is published, as an edge knows it: in memory, and kept over a restart. */
export interface Replica {
  /** `undefined` until it has been brought to a state of the origin for the first time. */
  readonly position: FeedPosition | undefined
  readonly published: PublishedState
  /** Tells the parts of this edge of everything that changes, once it shows. */
  readonly feed: Feed
  /** What the feed of the origin said, and nothing else: for edges behind this one. */
  readonly relayed: Pick<LocalFeed, 'subscribe' | 'after' | 'wholeAt'>
  /**
   * Shows all of these at once: until then everything is as it was, and others have turns however many assets
   * change. What is shown outlives the process. To be called one after another, as {@link replace} is.
   */
  apply(changes: readonly ReplicaChange[]): Promise<void>
  /** Shows what a comparison found, and the changes that lead from there to now, at once. */
  replace(comparison: Comparison, changes: readonly ReplicaChange[]): Promise<void>
}

interface Dependencies {
  readonly catalog: Catalog
  readonly store: ReplicaStore
  /** Told of the position after {@link Replica.replace}, to which no entries lead. */
  readonly onReplaced: (position: FeedPosition) => void
  readonly onSubscriberFault: (fault: unknown) => void
}

export async function openReplica(dependencies: Dependencies): Promise<Replica> {
  const { catalog, store, onReplaced, onSubscriberFault } = dependencies
  const kept = await store.load()
  const hosts = createHosts()
  const previews = createPreviewMap()
  const erased = new Set(kept?.erased)
  let position = kept?.position
  if (kept !== undefined) {
    await catalog.load(kept)
    hosts.apply(kept.hosts)
    for (const preview of kept.previews) previews.set(preview)
  }
  const past = { feedAfter: async () => [] }
  const feed = createFeed({ store: past, onSubscriberFault })
  const relayed = createFeed({ store: past, onSubscriberFault })
  const published = publishedOf({ catalog, hosts, previews, erased })

  /** Kept first: so nobody who starts again after a kill knows less than was shown. */
  async function show(steps: readonly ReplicaStep[], entries: readonly FeedEntry[]): Promise<void> {
    await store.apply(steps)
    const publications = steps.map(({ publication }) => ({ ...publication, feed: [] }))
    const isLarge = [
      ...publications.map((each) => assetCountOf(each, catalog)),
      entries.length,
    ].some((count) => count > manyChanges)
    const announce = isLarge ? await feed.prepare(entries) : () => feed.announce(entries)
    const reveal = isLarge ? await catalog.prepare(publications) : () => catalog.apply(publications)
    // From here on nothing may be waited for: whoever looks sees either nothing of it or all.
    reveal()
    for (const step of steps) showRecords(step)
    position = steps.at(-1)?.to ?? position
    relayed.begin(position?.seq ?? 0)
    announce()
  }

  function showRecords({ publication, ...step }: ReplicaStep): void {
    hosts.removeZones(publication.removedZones)
    hosts.apply(step.hosts)
    for (const zone of publication.removedZones) previews.deleteZone(zone)
    for (const { preview, ...key } of step.previews)
      if (preview === undefined) previews.delete(key)
      else previews.set(preview)
    for (const sha256 of publication.erased) erased.add(sha256)
  }

  return {
    get position() {
      return position
    },
    published,
    feed,
    relayed,
    async apply(changes) {
      const news = entriesOf(changes).filter(({ seq }) => seq > (position?.seq ?? -1))
      if (news.length === 0) return
      await show(changes, news)
      await announceInParts(relayed, news)
    },
    async replace(comparison, changes) {
      const found = await stepOf(comparison, published)
      await show([found, ...changes], [...comparisonEntries(comparison), ...entriesOf(changes)])
      onReplaced(position ?? comparison.position)
    },
  }
}

const entriesOf = (changes: readonly ReplicaChange[]): readonly FeedEntry[] =>
  changes.flatMap(({ entries }) => entries)

/** To show so many takes milliseconds. */
const manyChanges = 500
/** Whoever is behind this edge takes its time for each, and shows them once it has them all. */
const entriesPerTurn = 200

async function announceInParts(
  feed: Pick<LocalFeed, 'announce'>,
  entries: readonly FeedEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += entriesPerTurn) {
    if (start > 0) await setImmediate()
    feed.announce(entries.slice(start, start + entriesPerTurn))
  }
}

interface Known {
  readonly catalog: Catalog
  readonly hosts: ReturnType<typeof createHosts>
  readonly previews: ReturnType<typeof createPreviewMap>
  readonly erased: ReadonlySet<string>
}

const publishedOf = ({ catalog, hosts, previews, erased }: Known): PublishedState => ({
  asset: (path) => catalog.asset(path),
  zone: (name) => catalog.zone(name),
  ruleFile: (name) => catalog.ruleFile(name),
  zoneOfHost: (hostname) => hosts.get(hostname)?.zone,
  isErased: (name) => erased.has(name),
  erased: () => [...erased].toSorted(),
  zones: () => catalog.zones(),
  zoneFiles: (name) => catalog.zoneFiles(name),
  host: (hostname) => hosts.get(hostname),
  hostsOf: (name) => hosts.of(name),
  preview: (zone, name) => previews.get({ zone, name }),
  previewsOf: (zone) => previews.ofZone(zone),
})

function createHosts() {
  const hostByName = new Map<string, HostRecord>()
  return {
    get: (hostname: string) => hostByName.get(hostname),
    of: (name: string) =>
      [...hostByName.values()]
        .filter(({ zone }) => zone === name)
        .toSorted((one, other) => (one.hostname < other.hostname ? -1 : 1)),
    apply(changes: readonly HostChange[]): void {
      for (const host of changes)
        if (host.zone === undefined) hostByName.delete(host.hostname)
        else hostByName.set(host.hostname, host)
    },
    removeZones(names: readonly string[]): void {
      const removed = new Set(names)
      for (const { hostname, zone } of hostByName.values())
        if (removed.has(zone)) hostByName.delete(hostname)
    },
  }
}

/** Answers once the replica shows a number of the feed, or after the time it may take. */
export async function untilShown(
  replica: Pick<Replica, 'position' | 'feed'>,
  seq: number,
  patienceMs: number,
): Promise<void> {
  const isShown = () => (replica.position?.seq ?? 0) >= seq
  if (isShown()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  using _listening = replica.feed.subscribe(() => void (isShown() && resolve()))
  const timer = setTimeout(resolve, patienceMs)
  await promise
  clearTimeout(timer)
}
