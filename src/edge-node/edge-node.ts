import type { CertificateFollower } from '../domain/edges/certificates/certificate-follower.ts'
import type { HandedOutCertificates } from '../domain/edges/certificates/handed-out-certificates.ts'
import type { Following } from '../domain/edges/feed/follow-origin.ts'
import { createPurgeGenerations, type PurgeGenerations } from '../edge/purge/purge-generations.ts'
import { defaultCachePolicy } from '../edge/cache/rfc9111/cache-policy.ts'
import { MemoryStore } from '../edge/cache/store/memory-store.ts'
import { createReverseProxy } from '../edge/cache/reverse-proxy.ts'
import { createEdge, type Edge } from '../edge/asset/edge.ts'
import { type Broadcasts, createBroadcasts } from '../http/response/broadcasts.ts'
import { errorResponse, toServiceError } from '../http/response/envelopes.ts'
import type { CountryOf } from '../http/request/request-country.ts'
import { type DeliveryCache, openDeliveryCache } from '../wiring/delivery-cache.ts'
import type { KeepOpen } from '../server/listener.ts'
import type { PlainDomain } from '../server/tls/plain-responses.ts'
import type { MediaDelivery } from '../wiring/media.ts'
import { type Counted, openCounted } from './edge-node-traffic.ts'
import {
  answering,
  openPresenceBlobs,
  type PresenceBlobs,
  refusing,
  type RefusingBlobs,
} from './edge-node-blobs.ts'
import { openCertificates } from './edge-node-certificates.ts'
import { openPresenceMedia } from './edge-node-media.ts'
import { createEdgeApi } from './edge-api.ts'
import { openForward } from './forward-to-origin.ts'
import {
  createPresenceMeasuring,
  measurePresence,
  type PresenceMeasuring,
} from './edge-node-metrics.ts'
import type { PresenceWorld } from './edge-node-settings.ts'
import { openReplicated, type Replicated, startFollowing } from './replicated-manifest.ts'
import { createRootFiles } from '../planes/site/root-files.ts'
import { createHostPurposes } from '../wiring/access/host-purposes.ts'
import { createSiteFiles } from '../wiring/pages/site-files.ts'
import { type Route, routeAt } from './route.ts'

/** An edge away from its origin, without a socket. */
export interface Presence extends AsyncDisposable {
  /** Never rejects. */
  fetch(request: Request, peerAddress: string): Promise<Response> | Response
  /** Whether it knows a state of the origin at all; before that it must not be asked. */
  readonly hasState: boolean
  /** Answers once it knows the newest state of the origin. */
  readonly caughtUp: Promise<void>
  /** Those of custom domains; none where the edge does no TLS. */
  readonly certificates: Pick<CertificateFollower, 'all' | 'get' | 'showWith'> | undefined
  /** The custom domain of that host name. */
  domainOf(hostname: string): PlainDomain | undefined
  /** For Prometheus; `undefined` where nothing is measured. */
  metrics(): Promise<string> | undefined
  keepOpenWith(keepOpen: KeepOpen): void
  /** Ends the feeds of edges behind it, so that the listener can stop. */
  endStreams(): void
}

/** What a node of a cluster has that an edge has not. */
export interface Standby {
  /** The cluster's own: bytes do not have to come from the node that writes. */
  readonly blobs: PresenceBlobs
  /** Those of custom domains, with their keys, which all nodes have. */
  readonly certificates: HandedOutCertificates
  /** Where this node is reached, for those that its requests are passed on to. */
  readonly address: string
}

export async function openPresence(world: PresenceWorld, standby?: Standby): Promise<Presence> {
  await using opening = new AsyncDisposableStack()
  const replicated = await openReplicated(world, opening)
  const { replica } = replicated
  const measuring = createPresenceMeasuring(world.settings)
  const cache: PresenceBlobs =
    standby?.blobs ?? opening.use(await openPresenceBlobs(world, replicated.origin, measuring))
  const blobs = refusing(cache)
  const counted = await openCounted(world, { replicated, blobs, measuring, opening })
  let followed: Following | undefined
  const isConnected = () => followed?.isConnected === true
  const media = await openPresenceMedia(world, { replicated, blobs, isConnected, opening })
  const broadcasts = createBroadcasts()
  opening.defer(() => broadcasts.closeAll())
  const parts = { replicated, blobs, counted, media, broadcasts, measuring, standby, opening }
  const atHand = standby?.certificates
  const certificates = await openCertificates(world, { replicated, atHand, opening })
  const { fetch, following, originSeq } = openAnswering(world, parts)
  followed = following
  const blobBytes = () => cache.sizeBytes ?? 0
  const seen = { replicated, media, blobBytes, isConnected, originSeq, opening }
  measurePresence(world, measuring, seen)
  const opened = opening.move()
  return {
    fetch,
    get hasState() {
      return replica.position !== undefined
    },
    caughtUp: following.caughtUp.then(() => certificates?.settled()),
    certificates,
    domainOf(hostname) {
      const host = replica.published.host(hostname)
      const certificateExpiresAt = certificates?.get(hostname)?.validUntil
      return host && { redirectsToHttps: host.redirectsToHttps, certificateExpiresAt }
    },
    metrics: () => measuring?.metrics.metrics(),
    keepOpenWith: (keepOpen) => broadcasts.keepOpenWith(keepOpen),
    endStreams: () => broadcasts.closeAll(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface Parts {
  readonly replicated: Replicated
  readonly blobs: RefusingBlobs
  readonly counted: Counted
  readonly media: MediaDelivery
  readonly broadcasts: Broadcasts
  readonly measuring: PresenceMeasuring | undefined
  readonly standby: Standby | undefined
  readonly opening: AsyncDisposableStack
}

/** Who answers what; the feed is followed once all of them hear it. */
function openAnswering(world: PresenceWorld, parts: Parts) {
  const { replicated, measuring, standby, opening } = parts
  const { feed, published } = replicated.replica
  const purges = createPurgeGenerations()
  opening.use(feed.subscribe((entries) => purges.applyFeed(entries)))
  const edge = openAssets(world, parts, purges)
  const proxy = standby
    ? openForward(world, replicated.replica, standby.address)
    : opening.use(openProxy(world, purges, parts.counted.countryOf))
  const api = openDelivery(world, parts, () => started)
  const started = startFollowing(world, replicated, opening)
  const { following, acknowledger } = started
  const route = routeAt({
    hasSecret: world.settings.signedUrlSecret !== undefined,
    hosts: createHostPurposes({
      baseUrl: world.settings.baseUrl,
      dashboardHost: world.settings.dashboardHost,
      clusterAddress: standby?.address,
      zoneOfHost: (hostname) => published.zoneOfHost(hostname),
    }),
    hasFollowers: standby === undefined,
  })
  const answerBy = { asset: edge, api, origin: proxy }
  const refuse = (thrown: unknown): Response => refusalOf(thrown, world)
  const answerAs = (by: Route, request: Request, peerAddress: string) => {
    try {
      const answer = answerBy[by].fetch(request, peerAddress)
      return answer instanceof Promise ? answer.catch(refuse) : answer
    } catch (thrown) {
      return refuse(thrown)
    }
  }
  const fetch: Presence['fetch'] =
    measuring === undefined
      ? (request, peerAddress) => answerAs(route(request), request, peerAddress)
      : (request, peerAddress) => {
          const by = route(request)
          return measuring.timed(by, () => answerAs(by, request, peerAddress))
        }
  return { fetch, following, originSeq: () => acknowledger.originSeq }
}

function openAssets(
  { settings, now, newId, connections }: PresenceWorld,
  { replicated, blobs, counted, media, opening }: Parts,
  purges: PurgeGenerations,
): Edge {
  return opening.use(
    createEdge({
      manifest: replicated.replica.published,
      blobs: answering(blobs),
      purges,
      sanitise: async (record) => (await media.drawings.get(record)).bytes,
      tap: counted.tap,
      transfers: connections?.transfers,
      countryOf: counted.countryOf,
      ownFile: createRootFiles(createSiteFiles()),
      settings: {
        baseUrl: settings.baseUrl,
        dashboardHost: settings.dashboardHost,
        maxMemoryBytes: settings.memoryBytes / 2,
      },
      now,
      newId,
    }),
  )
}

/** What the interface answers here, with the shared cache in front of what is made of assets. */
function openDelivery(
  world: PresenceWorld,
  { replicated, blobs, counted, media, broadcasts, standby, opening }: Parts,
  started: () => ReturnType<typeof startFollowing>,
) {
  let cached: DeliveryCache | undefined
  const app = createEdgeApi(world, {
    replicated,
    media,
    blobs,
    broadcasts,
    certificatesAtHand: standby?.certificates,
    isConnected: () => started().following.isConnected,
    acknowledge: (all) => all.forEach((each) => started().acknowledger.note(each)),
    recordTraffic: (flush) => counted.relay.record(flush),
    onAnswer(answered) {
      if (cached?.isFill(answered.request) !== true) counted.countDelivery(answered)
    },
  })
  const cache = openDeliveryCache(world, {
    app,
    feed: replicated.replica.feed,
    opening,
    onAnswer: counted.countDelivery,
    memoryBytes: world.settings.memoryBytes / 4,
  })
  cached = cache
  return {
    fetch: (request: Request, peerAddress: string) =>
      (cache.takes(request) ? cache : app).fetch(request, peerAddress),
  }
}

/** Without `XX`, which says that it is not. */
const known = (country: string): string | undefined => (country === 'XX' ? undefined : country)

/** Everything that an edge does not answer itself, through a shared cache. */
function openProxy(
  { settings, now }: PresenceWorld,
  generations: PurgeGenerations,
  countryOf: CountryOf,
) {
  const addresses = new WeakMap<Request, string>()
  const { maxVariants } = defaultCachePolicy
  const proxy = createReverseProxy({
    origin: settings.origin,
    keepsHost: settings.keepsHost,
    clientAddressOf: (request) => addresses.get(request),
    // What a client says of it ends here: the origin believes its edges.
    country: {
      header: settings.countryHeader,
      of: (request) => known(countryOf(request, addresses.get(request))),
    },
    cache: {
      policy: { ...defaultCachePolicy, awaitedBodyBytes: 2 ** 20 },
      store: new MemoryStore({ maxBytes: settings.memoryBytes / 8, maxVariants }),
      generations,
      now: () => now().getTime(),
    },
  })
  return {
    fetch(request: Request, peerAddress: string) {
      addresses.set(request, peerAddress)
      return proxy.fetch(request)
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

function refusalOf(thrown: unknown, { now, newId, log }: PresenceWorld): Response {
  const error = toServiceError(thrown)
  if (error.code !== 'Unavailable') log.error('an answer failed', { error: thrown })
  return errorResponse(error, {
    envelope: 'standard',
    requestId: newId(),
    at: now(),
    headers: { 'Retry-After': '5' },
  })
}
