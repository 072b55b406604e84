import type { ForgettingErased } from '../domain/edges/forget-erased.ts'
import type { HandedOutCertificates } from '../domain/edges/certificates/handed-out-certificates.ts'
import type { Following } from '../domain/edges/feed/follow-origin.ts'
import { onErased } from '../edge/purge/on-erased.ts'
import type { PurgeGenerations } from '../edge/purge/purge-generations.ts'
import { defaultCachePolicy } from '../edge/cache/rfc9111/cache-policy.ts'
import { MemoryStore } from '../edge/cache/store/memory-store.ts'
import { createReverseProxy } from '../edge/cache/reverse-proxy.ts'
import type { Edge } from '../edge/asset/edge.ts'
import { type Broadcasts, createBroadcasts } from '../http/response/broadcasts.ts'
import { errorResponse, toServiceError } from '../http/response/envelopes.ts'
import { openDeliveryCache } from '../wiring/delivery/delivery-cache.ts'
import type { Responder } from '../server/responder.ts'
import { createClientOf, openAssetEdge, openPurges } from '../wiring/delivery/asset-edge.ts'
import type { MediaDelivery } from '../wiring/media.ts'
import type { NodeReads } from '../wiring/reads/node-reads.ts'
import type { ReadParts } from '../wiring/reads/read-parts.ts'
import { type Traffic, openTraffic } from './edge-node-traffic.ts'
import {
  absentWhereRefused,
  openEdgeNodeBlobs,
  type EdgeNodeBlobs,
  refusing,
  type RefusingBlobs,
} from './edge-node-blobs.ts'
import { openCertificates } from './edge-node-certificates.ts'
import { forgetErasedAt, forgetLetGoAt } from './edge-node-forgetting.ts'
import { openEdgeNodeMedia } from './edge-node-media.ts'
import { createEdgeApi } from './edge-api.ts'
import { openPeerProxy } from './peer-proxy.ts'
import {
  createEdgeNodeMeasuring,
  measureEdgeNode,
  type EdgeNodeMeasuring,
} from './edge-node-metrics.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import { openReplicated, type Replicated, startFollowing } from './replicated-manifest.ts'
import { createPastResponder } from '../wiring/delivery/worker-past.ts'
import type { HostPurposes } from '../wiring/delivery/host-purposes.ts'
import { createNamedImages, type NamedImages } from '../wiring/delivery/named-images.ts'
import { hostsAt, type Responding, routeAt } from './route.ts'
import type { RespondOnWire } from '../http/wire/wire-response.ts'

/** An edge away from its origin, without a socket. */
export interface EdgeNode extends Responder {
  /** Whether it knows a state of the origin at all; before that it must not be asked. */
  readonly hasState: boolean
  /** Resolves once it knows the newest state of the origin. */
  readonly caughtUp: Promise<void>
}

/** What a node of a cluster has that an edge has not. */
export interface Standby {
  /** The cluster's own: bytes do not have to come from the node that writes. */
  readonly blobs: EdgeNodeBlobs
  /** Those of custom domains, with their keys, which all nodes have. */
  readonly certificates: HandedOutCertificates
  /** Where this node is reached, for those that its requests are passed on to. */
  readonly address: string
  /** Opens what answers reads of the interface here. */
  readonly openReads: (parts: Omit<ReadParts, 'database' | 'repository'>) => Promise<NodeReads>
}

export async function openEdgeNode(world: EdgeNodeWorld, standby?: Standby): Promise<EdgeNode> {
  await using opening = new AsyncDisposableStack()
  const replicated = await openReplicated(world, opening)
  const { replica } = replicated
  const measuring = createEdgeNodeMeasuring(world)
  const cache: EdgeNodeBlobs =
    standby?.blobs ?? opening.use(await openEdgeNodeBlobs(world, replicated, measuring))
  const blobs = refusing(cache)
  const traffic = await openTraffic(world, { replicated, blobs, measuring, opening })
  let followed: Following | undefined
  const isConnected = () => followed?.isConnected === true
  const media = await openEdgeNodeMedia(world, { replicated, blobs, isConnected, opening })
  const broadcasts = createBroadcasts()
  opening.defer(() => broadcasts.closeAll())
  const forgetting = forgetErasedAt(world, { replicated, cache, media, opening })
  if (standby === undefined)
    opening.use(forgetLetGoAt(world, { replicated, cache, media, opening }))
  const shared = { replicated, blobs, traffic, media, broadcasts }
  const hosts = hostsAt(world.settings, replica.published, standby?.address)
  const reads = await standby?.openReads({
    ...replicated,
    media,
    blobs,
    hosts,
    onResponse: traffic.countDelivery,
    opening,
  })
  const parts = { ...shared, forgetting, measuring, standby, hosts, reads, opening }
  const atHand = standby?.certificates
  const certificates = await openCertificates(world, { replicated, atHand, opening })
  const { following, originSeq, ...responding } = openResponding(world, parts)
  followed = following
  const blobBytes = () => cache.sizeBytes ?? 0
  const behindMs = reads && (() => reads.behindMs)
  const seen = { replicated, media, blobBytes, isConnected, originSeq, behindMs, opening }
  measureEdgeNode(world, measuring, seen)
  const opened = opening.move()
  return {
    ...responding,
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
    respondToQuery: createPastResponder({ ...replicated, published: replica.published }),
    keepOpenWith: (keepOpen) => broadcasts.keepOpenWith(keepOpen),
    endStreams: () => broadcasts.closeAll(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

interface Parts {
  readonly replicated: Replicated
  readonly blobs: RefusingBlobs
  readonly traffic: Traffic
  readonly media: MediaDelivery
  readonly broadcasts: Broadcasts
  readonly forgetting: ForgettingErased
  readonly measuring: EdgeNodeMeasuring | undefined
  readonly standby: Standby | undefined
  readonly hosts: HostPurposes
  /** Absent at what is no node. */
  readonly reads: NodeReads | undefined
  readonly opening: AsyncDisposableStack
}

/** Who responds to what; the feed is followed once all of them subscribe to it. */
function openResponding(world: EdgeNodeWorld, parts: Parts) {
  const { replicated, measuring, standby, hosts, reads, opening } = parts
  const { feed, published } = replicated.replica
  const all = () => replicated.catalog.all()
  const purges = openPurges({ feed, published, all, now: world.now }, opening)
  const made = createNamedImages({
    published,
    previewHost: world.settings.previewHost,
    api: () => api,
    generations: purges,
  })
  const edge = openAssets(world, parts, { purges, made })
  const proxy = standby
    ? openPeerProxy(world, replicated.replica, standby.address)
    : opening.use(openProxy(world, purges, parts))
  const api = openDelivery(world, { ...parts, purges }, () => started)
  const started = startFollowing(world, replicated, parts)
  const { following, acknowledger } = started
  const route = routeAt({
    hasSecret: world.settings.signedUrlSecret !== undefined,
    hosts,
    hasFollowers: standby === undefined,
    isRead: (request) => reads?.takes(request) === true,
  })
  const responderBy = { asset: edge, api, read: readsBefore(proxy, reads), origin: proxy }
  const refuse = (thrown: unknown): Response => refusalOf(thrown, world)
  const respondAs = (by: Responding, request: Request, peerAddress: string) => {
    try {
      const hot = api.hot.fetch(request, peerAddress)
      if (hot !== undefined) return hot
      const response = responderBy[by].fetch(request, peerAddress)
      return response instanceof Promise ? response.catch(refuse) : response
    } catch (thrown) {
      return refuse(thrown)
    }
  }
  const fetch: EdgeNode['fetch'] =
    measuring === undefined
      ? (request, peerAddress) => respondAs(route(request), request, peerAddress)
      : (request, peerAddress) => {
          const by = route(request)
          return measuring.timed(by, () => respondAs(by, request, peerAddress))
        }
  const respondOnWire: RespondOnWire = (request, peerAddress) => {
    const start = performance.now()
    const variant = api.hot.onWire(request, peerAddress)
    const response = variant ?? edge.onWire(request, peerAddress)
    if (response !== undefined)
      measuring?.note(variant === undefined ? 'asset' : 'api', response.status, start)
    return response
  }
  return { fetch, respondOnWire, following, originSeq: () => acknowledger.originSeq }
}

/** Reads that this node answers, and whom it asks where it cannot. */
const readsBefore = (
  writer: { fetch(request: Request, peerAddress: string): Promise<Response> | Response },
  reads: NodeReads | undefined,
) => ({
  async fetch(request: Request, peerAddress: string): Promise<Response> {
    const askWriter = async () => await writer.fetch(request, peerAddress)
    return reads === undefined
      ? await askWriter()
      : await reads.fetch(request, peerAddress, askWriter)
  },
})

function openAssets(
  { settings, now, newId, connections }: EdgeNodeWorld,
  { replicated, blobs, traffic, media, opening }: Parts,
  making: { readonly purges: PurgeGenerations; readonly made: NamedImages },
): Edge {
  const { baseUrl, dashboardHost, previewHost, memoryBytes } = settings
  return openAssetEdge({
    manifest: replicated.replica.published,
    past: { pins: replicated.pins, addressOf: createClientOf(settings) },
    blobs: absentWhereRefused(blobs),
    ...making,
    erasures: replicated.replica.feed,
    connections,
    traffic: { tap: traffic.tap, countryOf: traffic.countryOf, isOwn: traffic.isOwn },
    media,
    settings: { baseUrl, dashboardHost, previewHost, memoryBytes: memoryBytes / 2 },
    clock: { now, newId },
    opening,
  })
}

/** What the interface serves here, with the shared cache in front of what is made of assets. */
function openDelivery(
  world: EdgeNodeWorld,
  {
    replicated,
    blobs,
    traffic,
    media,
    broadcasts,
    standby,
    purges,
    opening,
  }: Parts & { readonly purges: PurgeGenerations },
  started: () => ReturnType<typeof startFollowing>,
) {
  const app = createEdgeApi(world, {
    replicated,
    media,
    blobs,
    broadcasts,
    certificatesAtHand: standby?.certificates,
    isConnected: () => started().following.isConnected,
    acknowledge: (all) => all.forEach((each) => started().acknowledger.note(each)),
    recordTraffic: (flush) => traffic.relay.record(flush),
    onResponse: traffic.countDelivery,
  })
  return openDeliveryCache(world, {
    app,
    purges,
    feed: replicated.replica.feed,
    opening,
    onResponse: traffic.countDelivery,
    traffic,
    published: replicated.replica.published,
    memoryBytes: world.settings.memoryBytes / 4,
  })
}

/** Without `XX`, which says that it is not. */
const known = (country: string): string | undefined => (country === 'XX' ? undefined : country)

/** Everything that an edge does not serve itself, through a shared cache. */
function openProxy(
  { settings, now }: EdgeNodeWorld,
  generations: PurgeGenerations,
  { traffic: { countryOf }, replicated, opening }: Parts,
) {
  const { maxVariants } = defaultCachePolicy
  const store = new MemoryStore({ maxBytes: settings.memoryBytes / 8, maxVariants })
  opening.use(onErased(replicated.replica.feed, () => store.clear()))
  const peerAddresses = new WeakMap<Request, string>()
  const proxy = createReverseProxy({
    origin: settings.origin,
    keepsHost: settings.keepsHost,
    clientAddressOf: (request) => peerAddresses.get(request),
    // What a client says of it ends here: the origin believes its edges.
    country: {
      header: settings.countryHeader,
      of: (request) => known(countryOf(request, peerAddresses.get(request))),
    },
    cache: {
      policy: { ...defaultCachePolicy, awaitedBodyBytes: 2 ** 20 },
      store,
      generations,
      now: () => now().getTime(),
    },
  })
  return {
    fetch(request: Request, peerAddress: string) {
      peerAddresses.set(request, peerAddress)
      return proxy.fetch(request)
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

function refusalOf(thrown: unknown, { now, newId, log }: EdgeNodeWorld): Response {
  const error = toServiceError(thrown)
  if (error.code !== 'Unavailable') log.error('a response failed', { error: thrown })
  return errorResponse(error, {
    envelope: 'standard',
    requestId: newId(),
    at: now(),
    headers: { 'Retry-After': '5' },
  })
}
