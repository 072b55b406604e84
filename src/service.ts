import { createLogRecorder } from './domain/logs/log-recorder.ts'
import type { Edge } from './edge/asset/edge.ts'
import type { PurgeGenerations } from './edge/purge/purge-generations.ts'
import type { MeasuredResponse, ObservedResponse } from './http/observed/observed-response.ts'
import type { App } from './http/app.ts'
import type { EventStreams } from './http/response/event-streams.ts'
import type { CloneService } from './planes/git/clone-service.ts'
import type { McpService } from './planes/mcp/http/mcp-service.ts'
import type { S3Service } from './planes/s3/s3-service.ts'
import { createWatchPage } from './planes/delivery/streams/watch-page.ts'
import { createSitePages, type SitePages } from './planes/site/site-pages.ts'
import type { Service } from './server/responder.ts'
import { isBelow } from './server/routes.ts'
import {
  createClientOf,
  formerContentsIn,
  openAssetEdge,
  openPurges,
} from './wiring/delivery/asset-edge.ts'
import { createPastResponder } from './wiring/delivery/worker-past.ts'
import { createRouteOf, type Route } from './wiring/delivery/request-route.ts'
import { type Access, openAccess } from './wiring/access/access.ts'
import { createApi } from './wiring/api.ts'
import { type Certificates, openCertificates } from './wiring/certificates.ts'
import { openBackups } from './wiring/backups/backups.ts'
import { openSearchAndChat } from './wiring/chat.ts'
import { openClones } from './wiring/content/clones.ts'
import { type DeliveryCache, openDeliveryCache } from './wiring/delivery/delivery-cache.ts'
import { createNamedImages, type NamedImages } from './wiring/delivery/named-images.ts'
import { openEdges } from './wiring/edges.ts'
import { openErasing } from './wiring/erasing/erasing.ts'
import { openReturnedBytes } from './wiring/erasing/returned-bytes.ts'
import { openHealth } from './wiring/health/health.ts'
import { type Insights, openInsights } from './wiring/insights.ts'
import { measureLimits } from './wiring/metrics/limit-metrics.ts'
import { openLimits } from './wiring/quotas/open-limits.ts'
import { openZoneQuotas } from './wiring/quotas/zone-quotas.ts'
import { openUploading } from './wiring/access/upload-grants.ts'
import { type Logs, openLogs } from './wiring/logs.ts'
import { openSeenMedia } from './wiring/vision/vision.ts'
import { type Media, openMedia } from './wiring/media.ts'
import { startRendering } from './wiring/rendering.ts'
import type { Measuring } from './wiring/metrics/measuring.ts'
import { openObservers, type Observers } from './wiring/metrics/observers.ts'
import { openWatching } from './wiring/health/watching.ts'
import { openMcp } from './wiring/access/agents.ts'
import { openMirror } from './wiring/content/mirror.ts'
import { openPublishing, type Publishing } from './wiring/content/publishing.ts'
import {
  createSiteFiles,
  createWatchFiles,
  readDiagrams,
  readDocuments,
} from './wiring/pages/page-files.ts'
import { openS3 } from './wiring/s3/s3.ts'
import { notingAsks } from './wiring/requests/noting-asks.ts'
import { createRequestNoter } from './wiring/requests/requests.ts'
import { openStores, type Stores } from './wiring/content/stores.ts'
import { collectBlobsDaily } from './wiring/content/blob-gc.ts'
import { spanOf } from './wiring/metrics/spans.ts'
import { openWebhooks } from './wiring/webhooks.ts'
import type { World } from './wiring/world.ts'
import type { RespondOnWire } from './http/wire/wire-response.ts'

export async function openService(outside: World): Promise<Service> {
  const recorder = createLogRecorder(outside)
  const world = { ...outside, log: recorder.listenTo(outside.log) }
  const { measuring, trace } = await openObservers(world)
  await using opening = new AsyncDisposableStack()
  const rendering = startRendering(world, opening)
  const stores = await openStores(world, opening)
  const logs = await openLogs(world, { recorder, stores, opening })
  const { bounds, limits } = await openLimits(world, stores, () => publishing.catalog)
  const publishing = await openPublishing(world, { stores, limits, bounds, opening })
  const base = { stores, publishing, opening }
  const access = await openAccess(world, base)
  const uploading = await openUploading(world, { ...base, access })
  const insights = await openInsights(world, { ...base, measuring, ...logs })
  const { calls } = insights
  const zoneQuotas = openZoneQuotas(world, { ...base, access })
  const images = await openMedia(world, { ...base, limits, rendering })
  const media = openSeenMedia(world, { ...base, calls, zoneQuotas, media: images })
  const webhooks = await openWebhooks(world, base)
  const certificates = await openCertificates(world, base)
  const found = await openSearchAndChat(world, { ...base, media, limits, calls })
  const edges = await openEdges(world, { ...base, insights, certificates, media, limits })
  const returned = openReturnedBytes(world, stores)
  const mirror = openMirror(world, { ...base, returned, measuring })
  const observing = createObserver(world, { ...base, access, insights, logs, measuring, trace })
  const { probeSearch } = found
  const health = openHealth(world, { ...base, media, certificates, probeSearch, mirror })
  const counted = { insights, media, limits, zoneQuotas }
  const planes = { access, uploading, ...counted, logs, webhooks, ...found, edges }
  const s3 = openS3(world, { ...base, access, uploading, insights, logs, ...observing })
  const erasing = openErasing(world, { ...base, media, s3, edges, returned })
  const backups = await openBackups(world, base)
  const watching = openWatching(world, { ...base, ...planes, mirror, health, backups })
  const operator = { health, erasing, backups, watching }
  const app = createApi(world, { ...base, ...planes, ...operator, ...observing })
  const behind = { ...base, insights, logs, media, measuring, app, observing }
  const { api, edge } = openDelivery(world, behind)
  measureLimits(measuring, limits)
  measuring?.measureParts(world, { ...insights, publishing, recorder, opening, ...media })
  const site = openSite(world, found)
  const clones = observing.notingClones(openClones(world, { ...base, limits, access, measuring }))
  collectBlobsDaily(world, { ...base, media, s3 })
  const mcp = observing.notingAgents(openMcp(world, { app, access, limits }))
  const route = routeRequests({ app, api, access, edge, certificates, site, clones, s3, mcp })
  publishing.catalog.keepUp()
  const opened = opening.move()
  return {
    ...notingAsks(publishing.calm, { fetch: route, respondOnWire: onWireOf(api, edge) }),
    metrics: () => measuring?.metrics.metrics(),
    ...streamsOf(insights.eventStreams, edges.broadcasts, mcp),
    get newestSeq() {
      return edges.operations.changes.position.seq
    },
    ...forWorkers(publishing, insights, logs),
    certificates,
    domainOf: (hostname) => publishing.domains.ofHost(hostname),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The pages for those who read. */
const openSite = (world: World, found: Awaited<ReturnType<typeof openSearchAndChat>>): SitePages =>
  createSitePages({
    ...world,
    ...found,
    file: createSiteFiles(),
    readDocuments,
    readDiagrams,
    version: world.config.version,
  })

interface Observed extends Observers {
  readonly publishing: Publishing
  readonly access: Access
  readonly insights: Insights
  readonly logs: Logs
}

/** Counts and notes every response of the interface, and has it measured and traced where somebody wants that. */
function createObserver(world: World, observed: Observed) {
  const { insights, measuring, trace } = observed
  const noter = createRequestNoter(world, observed)
  const addSpan = world.telemetry?.addSpan
  const report = addSpan && ((answered: MeasuredResponse) => addSpan(spanOf(answered)))
  const observers = [measuring?.onResponse, trace, report].filter((each) => each !== undefined)
  const observe = (answered: MeasuredResponse): void => {
    for (const each of observers) each(answered)
  }
  return {
    ...noter,
    onResponse(answered: ObservedResponse): void {
      insights.countDelivery(answered)
      noter.onResponse(answered)
      observe(answered)
    },
    onCounted: observers.length === 0 ? undefined : observe,
  }
}

interface Responders {
  readonly app: App
  /** The same with the shared cache in front. */
  readonly api: DeliveryCache
  readonly access: Access
  readonly certificates: Certificates
  readonly edge: OpenEdge
  readonly site: SitePages
  readonly clones: CloneService
  readonly s3: S3Service
  readonly mcp: McpService
}

/** Who responds to what at the service. */
function routeRequests(responders: Responders): Service['fetch'] {
  const { app, api, access, certificates, edge, site, clones, s3, mcp } = responders
  const deliver: Edge['fetch'] = (request, peerAddress) => edge.fetch(request, peerAddress)
  const { hosts, pages } = access
  const watch = createWatchPage(createWatchFiles())
  const respondTo: Readonly<Record<Route, Service['fetch']>> = {
    asset: deliver,
    api: (request, peerAddress) => api.fetch(request, peerAddress),
    challenge: (request) => certificates.respondToChallenge(request),
    clone: (request, peerAddress) => clones.fetch(request, peerAddress),
    s3: (request, peerAddress) => s3.fetch(request, peerAddress),
    mcp: (request, peerAddress) => mcp.fetch(request, peerAddress),
    /** A zone may be called `watch`: what is not the page's is looked for as an asset. */
    watch: async (request, peerAddress) =>
      (await watch.fetch(request)) ?? deliver(request, peerAddress),
    /** Pages for those who read; whatever else is sent to the same URLs is an operation. */
    dashboard: async (request, peerAddress) =>
      hosts.hasDashboard(request.url)
        ? ((await pages.answer(request)) ?? app.fetch(request, peerAddress))
        : // For who knows the service by its other name.
          (pages.leadToDashboard(request) ?? deliver(request, peerAddress)),
    site: async (request, peerAddress) =>
      (await site.fetch(request)) ??
      (isBelow(request.url, '/api')
        ? api.fetch(request, peerAddress)
        : deliver(request, peerAddress)),
  }
  const routeOf = createRouteOf(hosts)
  return (request, peerAddress) => {
    const hot = api.hot.fetch(request, peerAddress)
    if (hot !== undefined) return hot
    const route = routeOf(request)
    return route === 'asset'
      ? deliver(request, peerAddress)
      : respondTo[route](request, peerAddress)
  }
}

/** What processes that deliver beside this one are told, and tell. */
const forWorkers = (
  publishing: Publishing,
  insights: Insights,
  logs: Logs,
): Pick<
  Service,
  'onPublished' | 'countHits' | 'takeLines' | 'collectHitsWith' | 'respondToQuery'
> => ({
  onPublished: (listener) => publishing.feed.subscribe(listener),
  countHits: (rows, audience) => insights.countHits(rows, audience),
  takeLines: (taken) => logs.requests.requests.take(taken),
  collectHitsWith: (collect) => insights.collectHitsWith(collect),
  respondToQuery: createPastResponder({ ...publishing, published: publishing.catalog }),
})

/** All responses that go on for ever, as one. */
const streamsOf = (
  ...all: readonly Pick<EventStreams, 'keepOpenWith' | 'closeAll'>[]
): Pick<Service, 'keepOpenWith' | 'endStreams'> => ({
  keepOpenWith: (keepOpen) => all.forEach((each) => each.keepOpenWith(keepOpen)),
  endStreams: () => all.forEach((each) => each.closeAll()),
})

interface DeliveryParts {
  readonly stores: Pick<Stores, 'versions'>
  readonly publishing: Publishing
  readonly insights: Insights
  readonly logs: Logs
  readonly media: Media
  readonly measuring: Measuring | undefined
  readonly app: App
  readonly observing: ReturnType<typeof createObserver>
  readonly opening: AsyncDisposableStack
}

/** Published files, and what is made of them with the shared cache in front of it. */
function openDelivery(world: World, parts: DeliveryParts) {
  const { publishing, insights, logs, app, observing, opening } = parts
  const { catalog, feed, manifest: published } = publishing
  const all = () => catalog.all()
  const purges = openPurges({ feed, published: catalog, all, now: world.now }, opening)
  const traffic = { ...insights, requests: logs.requests.noting }
  const behind = { app, purges, feed, published, traffic, opening }
  const api = openDeliveryCache(world, { ...behind, ...observing })
  const made = createNamedImages({
    published,
    previewHost: world.config.previewHost,
    api: () => api,
    generations: purges,
  })
  return { api, edge: openEdge(world, { ...parts, purges, made }) }
}

type OpenEdge = Pick<Edge, 'fetch' | 'onWire'>

const onWireOf =
  (api: DeliveryCache, edge: OpenEdge): RespondOnWire =>
  (request, peerAddress) =>
    api.hot.onWire(request, peerAddress) ?? edge.onWire(request, peerAddress)

interface EdgeParts extends DeliveryParts {
  readonly purges: PurgeGenerations
  readonly made: NamedImages
}

function openEdge(world: World, parts: EdgeParts): OpenEdge {
  const { stores, publishing, insights, logs, measuring } = parts
  const { noting } = logs.requests
  const edge = openAssetEdge({
    manifest: publishing.manifest,
    past: { pins: publishing.pins, addressOf: createClientOf(world.config) },
    formerContentsOf: formerContentsIn(stores.versions),
    blobs: publishing.bytes,
    feed: publishing.feed,
    erasures: publishing.feed,
    connections: world.connections,
    traffic: {
      tap: insights.tap,
      countryOf: insights.countryOf,
      isOwn: insights.isOwn,
      requests: noting,
    },
    settings: world.config,
    clock: { now: world.now, newId: world.newId },
    ...parts,
  })
  return measuring === undefined ? edge : timed(edge, measuring)
}

const timed = (edge: Edge, { onEdgeResponse }: Measuring): OpenEdge => ({
  fetch(request, peerAddress) {
    const start = performance.now()
    const response = edge.fetch(request, peerAddress)
    if (response instanceof Response) onEdgeResponse(performance.now() - start)
    else void response.then(() => onEdgeResponse(performance.now() - start))
    return response
  },
  onWire(request, peerAddress) {
    const start = performance.now()
    const response = edge.onWire(request, peerAddress)
    if (response !== undefined) onEdgeResponse(performance.now() - start)
    return response
  },
})
