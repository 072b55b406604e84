import { createLogRecorder } from './domain/logs/log-recorder.ts'
import { createPurgeGenerations } from './edge/purge/purge-generations.ts'
import { namesTwoHosts } from './edge/routing/decide.ts'
import { createEdge, type Edge } from './edge/asset/edge.ts'
import type { HitRow } from './edge/hits/hit-counter.ts'
import type { Answered, App } from './http/app.ts'
import { hasValidHost } from './http/request/host-field.ts'
import type { EventStreams } from './http/response/event-streams.ts'
import type { CloneService } from './planes/git/clone-service.ts'
import { createWatchPage } from './planes/delivery/watch-page.ts'
import { createRootFiles } from './planes/site/root-files.ts'
import type { SitePages } from './planes/site/site-pages.ts'
import { type Access, openAccess } from './wiring/access/access.ts'
import { createApi } from './wiring/api.ts'
import { type Certificates, openCertificates } from './wiring/certificates.ts'
import { openSearchAndChat } from './wiring/chat.ts'
import { openClones } from './wiring/content/clones.ts'
import { type DeliveryCache, openDeliveryCache } from './wiring/delivery-cache.ts'
import { openEdges } from './wiring/edges.ts'
import { openHealth } from './wiring/health/health.ts'
import { type Insights, openInsights } from './wiring/insights.ts'
import type { PlainDomain } from './server/tls/plain-responses.ts'
import { measureLimits } from './wiring/metrics/limit-metrics.ts'
import { createLimits } from './wiring/access/limits.ts'
import { openLogs } from './wiring/logs.ts'
import { type Media, openMedia } from './wiring/media.ts'
import { createMeasuring, type Measuring, measureParts } from './wiring/metrics/metrics.ts'
import { openMirror } from './wiring/content/mirror.ts'
import { openPublishing, type Publishing } from './wiring/content/publishing.ts'
import { isBelow, isChallenge, isDelivered, isOfClones } from './server/routes.ts'
import { createSite, isOfSite } from './wiring/pages/site.ts'
import { openStores } from './wiring/content/stores.ts'
import { createSiteFiles } from './wiring/pages/site-files.ts'
import { sweepDaily } from './wiring/content/blob-gc.ts'
import { createTracing } from './wiring/metrics/tracing.ts'
import { openWebhooks } from './wiring/webhooks.ts'
import type { World } from './wiring/world.ts'

/** The running service, without a socket. */
export interface Service extends AsyncDisposable {
  /** Never rejects. `peerAddress` is the other end of the connection. */
  fetch(request: Request, peerAddress: string): Response | Promise<Response>
  /** For Prometheus; `undefined` where nothing is measured. */
  metrics(): Promise<string> | undefined
  /** Names how the listener is told that an answer may be silent for long. */
  keepOpenWith(keepOpen: (request: Request) => void): void
  /** The newest number of the feed that is shown here. */
  readonly newestSeq: number
  /** Calls `listener` after each publication, before its writer is answered. */
  onPublished(listener: () => void): Disposable
  /** Adds what processes that deliver beside this one counted. */
  countHits(rows: readonly HitRow[]): void
  /** Names how to fetch what they counted and have not handed over yet. */
  collectHitsWith(collect: () => Promise<void>): void
  /** Those of custom domains. */
  readonly certificates: Pick<Certificates, 'all' | 'showWith'>
  /** The custom domain of that host name. */
  domainOf(hostname: string): PlainDomain | undefined
  /** Ends the answers that would go on for ever, so that the listener can stop. */
  endStreams(): void
}

export async function openService(outside: World): Promise<Service> {
  const recorder = createLogRecorder(outside)
  const world = { ...outside, log: recorder.listenTo(outside.log) }
  const measuring = createMeasuring(world)
  await using opening = new AsyncDisposableStack()
  const stores = await openStores(world, opening)
  const logs = openLogs(recorder, { stores, opening })
  const zoneCount = (): number => publishing.catalog.zones().length
  const limits = createLimits(world, { quotas: stores.quotas, zoneCount })
  const publishing = await openPublishing(world, { stores, limits, opening })
  const base = { stores, publishing, opening }
  const access = await openAccess(world, base)
  const insights = await openInsights(world, { ...base, measuring, ...logs })
  const media = await openMedia(world, { ...base, limits })
  const webhooks = await openWebhooks(world, base)
  const certificates = await openCertificates(world, base)
  const answering = await openSearchAndChat(world, { ...base, media, limits })
  const edges = await openEdges(world, { ...base, insights, certificates, media, limits })
  const mirror = openMirror(world, { ...base, measuring })
  sweepDaily(world, { ...base, media })
  const traceAnswer = createTracing()
  let cached: DeliveryCache | undefined
  const onAnswer = (answered: Answered): void => {
    if (cached?.isFill(answered.request)) return
    insights.countDelivery(answered)
    measuring?.onAnswer(answered)
    traceAnswer(answered)
  }
  const { probeSearch } = answering
  const health = openHealth(world, { ...base, media, certificates, probeSearch, mirror })
  const planes = { access, insights, media, limits, logs, webhooks, ...answering, edges, health }
  const app = createApi(world, { stores, publishing, ...planes, onAnswer })
  cached = openDeliveryCache(world, { app, feed: publishing.feed, opening, onAnswer })
  const deliver = openEdge(world, { ...base, insights, media, measuring })
  const { tap } = insights
  measureLimits(measuring, limits)
  measureParts(world, measuring, { tap, publishing, recorder, opening, ...media })
  const site = createSite(world)
  const clones = openClones(world, { access, measuring })
  const route = routeRequests({ app, cached, access, deliver, certificates, site, clones })
  const opened = opening.move()
  return {
    fetch: route,
    metrics: () => measuring?.metrics.metrics(),
    ...streamsOf(insights.eventStreams, edges.broadcasts),
    get newestSeq() {
      return edges.operations.changes.position.seq
    },
    onPublished: (listener) => publishing.feed.subscribe(listener),
    countHits: (rows) => insights.countHits(rows),
    collectHitsWith: (collect) => insights.collectHitsWith(collect),
    certificates,
    domainOf: (hostname) => publishing.domains.ofHost(hostname),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface Answering {
  readonly app: App
  readonly cached: DeliveryCache
  readonly access: Access
  readonly certificates: Certificates
  readonly deliver: Edge['fetch']
  readonly site: SitePages
  readonly clones: CloneService
}

/** Who answers an address. A host name that is a zone's own has nothing of ours but the API. */
function routeRequests(answering: Answering): Service['fetch'] {
  const { app, cached, access, certificates, deliver, site, clones } = answering
  const watch = createWatchPage()
  /** A zone may be called `watch`: what is not the page's is looked for as an asset. */
  const watchOrDeliver: Service['fetch'] = async (request, peerAddress) =>
    (await watch.fetch(request)) ?? deliver(request, peerAddress)
  const showPage = pagesBefore(app, access)
  const { hosts } = access
  /** What a host is no name of ours for, the edge refuses as it does an asset there. */
  const interfaceOrDeliver: Service['fetch'] = (request, peerAddress) => {
    if (!hosts.hasInterface(request.url)) return deliver(request, peerAddress)
    return (cached.takes(request) ? cached : app).fetch(request, peerAddress)
  }
  /** For who knows the service by its other name. */
  const leadToDashboard: Service['fetch'] = (request, peerAddress) =>
    access.pages.leadToDashboard(request) ?? deliver(request, peerAddress)
  const work: Service['fetch'] = (request, peerAddress) => {
    const { url } = request
    if (isBelow(url, '/api')) return interfaceOrDeliver(request, peerAddress)
    if (isBelow(url, '/watch')) return watchOrDeliver(request, peerAddress)
    if (isChallenge(url)) return certificates.answerChallenge(request)
    if (isOfClones(url) && hosts.isOurHost(url)) return clones.fetch(request, peerAddress)
    if (isBelow(url, '/dashboard') && hosts.isOurHost(url))
      return (hosts.hasDashboard(url) ? showPage : leadToDashboard)(request, peerAddress)
    return deliver(request, peerAddress)
  }
  const siteOrWork: Service['fetch'] = async (request, peerAddress) =>
    (await site.fetch(request)) ?? work(request, peerAddress)
  return (request, peerAddress) => {
    const { url } = request
    // An address without a valid host can be taken apart by nobody but the edge, which refuses it.
    if (isDelivered(url) || !hasValidHost(request) || namesTwoHosts(request))
      return deliver(request, peerAddress)
    const isSite = isOfSite(url) && hosts.isOurHost(url)
    return (isSite ? siteOrWork : work)(request, peerAddress)
  }
}

/** All answers that go on for ever, as one. */
const streamsOf = (
  ...all: readonly Pick<EventStreams, 'keepOpenWith' | 'closeAll'>[]
): Pick<Service, 'keepOpenWith' | 'endStreams'> => ({
  keepOpenWith: (keepOpen) => all.forEach((each) => each.keepOpenWith(keepOpen)),
  endStreams: () => all.forEach((each) => each.closeAll()),
})

/** Pages for those who read; whatever else is sent to the same addresses is an operation. */
const pagesBefore =
  (app: App, { pages }: Access): App['fetch'] =>
  async (request, peerAddress) =>
    (await pages.answer(request)) ?? app.fetch(request, peerAddress)

interface EdgeParts {
  readonly publishing: Publishing
  readonly insights: Insights
  readonly media: Media
  readonly measuring: Measuring | undefined
  readonly opening: AsyncDisposableStack
}

function openEdge(world: World, parts: EdgeParts): Edge['fetch'] {
  const { publishing, insights, media, measuring, opening } = parts
  const purges = createPurgeGenerations()
  opening.use(publishing.feed.subscribe((entries) => purges.applyFeed(entries)))
  const edge = opening.use(
    createEdge({
      manifest: publishing.manifest,
      blobs: publishing.bytes,
      feed: publishing.feed,
      purges,
      sanitise: async (record) => (await media.drawings.get(record)).bytes,
      tap: insights.tap,
      transfers: world.connections?.transfers,
      countryOf: insights.countryOf,
      ownFile: createRootFiles(createSiteFiles()),
      settings: { baseUrl: world.config.baseUrl, dashboardHost: world.config.dashboardHost },
      now: world.now,
      newId: world.newId,
    }),
  )
  return measuring === undefined
    ? (request, peerAddress) => edge.fetch(request, peerAddress)
    : timed(edge, measuring)
}

const timed =
  (edge: Edge, { onEdgeAnswer }: Measuring): Edge['fetch'] =>
  (request, peerAddress) => {
    const start = performance.now()
    const answer = edge.fetch(request, peerAddress)
    if (answer instanceof Response) onEdgeAnswer(performance.now() - start)
    else void answer.then(() => onEdgeAnswer(performance.now() - start))
    return answer
  }
