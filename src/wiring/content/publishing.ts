import { SqlEarlierVersions } from '../../adapters/sql/versions/sql-object-versions.ts'
import { DnsNameResolver } from '../../adapters/dns/dns-name-resolver.ts'
import { type Catalog, createCatalog } from '../../domain/catalog/catalog.ts'
import { openDomains } from '../../domain/content/domains/domains.ts'
import { createOwnHosts } from '../../domain/content/domains/own-hosts.ts'
import { createRepositoryPins } from '../../domain/content/past/pin-source.ts'
import { createPins } from '../../domain/content/past/pins.ts'
import { createPastFiles } from '../../domain/content/past/past-files.ts'
import { createFeed, type LocalFeed } from '../../domain/feed.ts'
import { openPreviewBook } from '../../domain/previews/preview-book.ts'
import { announceExpiries } from '../../domain/publishing/expiry-announcer.ts'
import { forgetLeftSidecars } from '../../domain/publishing/left-sidecars.ts'
import { makeEarlierVersions } from '../../domain/publishing/earlier-versions.ts'
import { createPublisher, type Publisher } from '../../domain/publishing/publisher.ts'
import type { ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import type { Change } from '../../ports/content/content-store.ts'
import { createCalm } from '../../lib/async/calm.ts'
import type { Log } from '../../lib/log.ts'
import { isReservedZoneName } from '../../domain/content/zone-name.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { openPreviewing } from '../previews/previewing.ts'
import { createRooms } from '../quotas/zone-rooms.ts'
import { openPublishedBytes } from './published-bytes.ts'
import type { Limits } from '../access/limits.ts'
import type { Stores } from './stores.ts'
import type { World } from '../world.ts'

export type Publishing = Awaited<ReturnType<typeof openPublishing>>

type RequireFitLive = (changes: readonly Change[]) => Promise<void>

interface Opened {
  readonly stores: Stores
  readonly limits: Pick<Limits, 'domainsOf' | 'rates'>
  readonly bounds: ZoneBounds
  readonly opening: AsyncDisposableStack
}

/** Catalogue, feed and publisher, brought to where the repository is. */
export async function openPublishing(world: World, { stores, limits, bounds, opening }: Opened) {
  const { config, log, now } = world
  const { content, blobs, publications } = stores
  const catalog = await openCatalog(world, stores)
  const feed = createFeed({
    store: publications,
    onSubscriberFault: (fault) => log.error('a feed subscriber failed', { error: fault }),
  })
  const doors: { requireFit?: RequireFitLive } = {}
  const rooms = createRooms(world, stores, { bounds, catalog, publisher: () => publisher })
  const publisher = createPublisher({
    requireFit: async (changes) => await doors.requireFit?.(changes),
    room: rooms.room,
    content,
    blobs,
    store: publications,
    domains: stores.domains,
    isShared: config.databaseUrl !== undefined,
    catalog,
    feed,
    erased: stores.erased,
    now,
    log,
  })
  await publisher.start()
  const resolver = new DnsNameResolver({ servers: config.dnsServers })
  const ownHosts = createOwnHosts(config)
  const domains = await openDomains({
    store: stores.domains,
    published: catalog,
    feed,
    resolver,
    ownHosts,
    maxPerZone: (zone) => bounds.limitOr(zone, 'domains', config.domainsPerZone),
    additionsTo: (zone) => limits.domainsOf(zone),
    now,
  })
  const previewBook = await openPreviewBook({ store: stores.previews, feed })
  const shown = { stores, catalog, publisher, book: previewBook, feed, ...rooms, opening }
  const previewing = await openPreviewing(world, shown)
  keepCurrent(publisher, log, opening)
  completeVersions(stores, log, opening)
  const manifest: Manifest = {
    asset: (path) => catalog.asset(path),
    zone: (name) => catalog.zone(name),
    ruleFile: (name) => catalog.ruleFile(name),
    zoneOfHost: (hostname) => domains.zoneOfHost(hostname),
    preview: (zone, name) => previewBook.get({ zone, name }),
    isErased: (name) => stores.erased.isErased(name),
  }
  await openFollowers(world, stores, { catalog, publisher, feed, opening })
  const past = openPast(world, { content, manifest, limits })
  const bytes = openPublishedBytes(world, stores, {
    catalog,
    pastFiles: past.pastFiles,
    ofPreviews: previewing.blobs,
  })
  const parts = { catalog, feed, publisher, domains, previewBook, previewing, manifest, bytes }
  return { ...parts, ...past, doors, ...rooms, bounds, resolver, ownHosts, calm: openCalm(world) }
}

interface Followed {
  readonly catalog: Catalog
  readonly publisher: Publisher
  readonly feed: LocalFeed
  readonly opening: AsyncDisposableStack
}

/** What is told and taken away later than the commit that it comes of. */
async function openFollowers(
  { log, now }: World,
  { content, publications: store }: Stores,
  { catalog, publisher, feed, opening }: Followed,
): Promise<void> {
  warnOfReservedNames(catalog.zones(), log)
  opening.use(await announceExpiries({ store, feed, published: catalog, now, log }))
  opening.use(forgetLeftSidecars({ content, publisher, store, feed, log }))
}

/** While much comes in, what nobody waits for waits. */
const openCalm = ({ monotonicMs: now }: World) => createCalm({ now })

interface PastParts {
  readonly content: Stores['content']
  readonly manifest: Manifest
  readonly limits: Opened['limits']
}

/** What commits had. */
function openPast({ now }: World, { content, manifest, limits }: PastParts) {
  const pastFiles = createPastFiles({ content })
  const pinSource = createRepositoryPins({ content, files: pastFiles, published: manifest })
  const pins = createPins({
    source: pinSource,
    charge: (address) => void limits.rates.charge('history', address),
    now,
  })
  return { pastFiles, pinSource, pins }
}

/** What was published last. */
async function openCatalog({ newId }: World, { publications }: Stores): Promise<Catalog> {
  const catalog = createCatalog({ schedule: (slice) => void setTimeout(slice, 5), runId: newId() })
  await catalog.load({
    assets: publications.assets(),
    zones: await publications.zones(),
    ruleFiles: await publications.ruleFiles(),
    markers: await publications.markers(),
  })
  return catalog
}

/** Zones that are older than the reservation of their names go on; they had better have other ones. */
function warnOfReservedNames(zones: readonly ZoneRecord[], log: Log): void {
  const names = zones.map(({ name }) => name).filter(isReservedZoneName)
  if (names.length > 0) log.warn('zones have names that are reserved now', { zones: names })
}

/** Of what was published by versions of the service that knew none. */
function completeVersions(stores: Stores, log: Log, opening: AsyncDisposableStack): void {
  const closing = new AbortController()
  const { content, database } = stores
  const store = new SqlEarlierVersions(database)
  const made = makeEarlierVersions({ content, store, signal: closing.signal }).catch(
    (error: unknown) => log.warn('versions of before are not complete yet', { error }),
  )
  opening.defer(async () => {
    closing.abort()
    await made
  })
}

const lookEveryMs = 1_000

/**
 * What could not be published when it was committed is tried again until it is; what is published is
 * flushed where it was not.
 */
function keepCurrent(publisher: Publisher, log: Log, opening: AsyncDisposableStack): void {
  const checkpoint = () =>
    publisher
      .checkpoint()
      .catch((error: unknown) => log.warn('blobs could not be flushed yet', { error }))
  const timer = setInterval(() => {
    if (!publisher.isCurrent)
      publisher.catchUp().catch((error: unknown) => log.error('publishing is behind', { error }))
    void checkpoint()
  }, lookEveryMs)
  opening.defer(async () => {
    clearInterval(timer)
    await checkpoint()
  })
}
