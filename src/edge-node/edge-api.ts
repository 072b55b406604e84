import {
  type HandedOutCertificates,
  passedOnCertificates,
} from '../domain/edges/certificates/handed-out-certificates.ts'
import { passedOnImages } from '../domain/edges/images/handed-out-images.ts'
import { handedOutPast } from '../domain/edges/past/handed-out-past.ts'
import { createHealth } from '../domain/health/health.ts'
import { deliverableAt } from '../domain/content/delivered/expiry.ts'
import type { FileReader } from '../domain/content/delivered/published-bytes.ts'
import { createWithheldAssets } from '../domain/content/delivered/withheld-assets.ts'
import { ServiceError } from '../domain/errors.ts'
import { createNamedTransforms } from '../domain/media/named/named-transforms.ts'
import { createDescribedImages } from '../domain/media/responsive/described-images.ts'
import { createRuledSvgs } from '../domain/media/svg/ruled-svgs.ts'
import type { ObservedResponse } from '../http/observed/observed-response.ts'
import { createApp } from '../http/app.ts'
import { authenticateWith, bearerAuthenticator } from '../http/access/authorize.ts'
import type { Broadcasts } from '../http/response/broadcasts.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import { createResponseCheck } from '../http/response-check.ts'
import { type Endpoint, endpoints } from '../http/operation.ts'
import { createMemoryRateWindows, createRateLimits } from '../http/access/rate-limits.ts'
import { Secret, secretCheck } from '../lib/secrets/secret.ts'
import { autoOperations } from '../planes/delivery/auto.ts'
import { responsiveImageOperations } from '../planes/delivery/responsive-images.ts'
import { getSigned } from '../planes/delivery/signed.ts'
import { getStream } from '../planes/delivery/streams/stream.ts'
import { getThumbnails } from '../planes/delivery/streams/thumbnails.ts'
import { getIiifImage } from '../planes/iiif/images.ts'
import { transformImage } from '../planes/delivery/transform.ts'
import { edgesOperations } from '../planes/edges/operations.ts'
import { getHealth } from '../planes/observability/health.ts'
import type { Acknowledgement } from '../ports/edges/edge-origin.ts'
import type { TrafficFlush } from '../ports/traffic/traffic-store.ts'
import type { BlobStore } from '../ports/content/blob-store.ts'
import { privateWays } from '../wiring/edges.ts'
import { hostsOf, namesAssets } from '../wiring/delivery/host-purposes.ts'
import { pinnedOf } from '../wiring/delivery/versions.ts'
import type { MediaDelivery } from '../wiring/media.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'

interface Parts {
  readonly replicated: Replicated
  readonly media: MediaDelivery
  readonly blobs: Pick<BlobStore, 'open'>
  readonly broadcasts: Broadcasts
  /** Those that need not be asked for at the origin. */
  readonly certificatesAtHand: HandedOutCertificates | undefined
  readonly isConnected: () => boolean
  readonly acknowledge: (acknowledgements: readonly Acknowledgement[]) => void
  readonly recordTraffic: (flush: TrafficFlush) => Promise<unknown>
  readonly onResponse: (answered: ObservedResponse) => void
}

/** The operations that an edge serves itself: what is made of assets, and what edges behind it request. */
export function createEdgeApi(world: EdgeNodeWorld, parts: Parts) {
  const { settings, log, now, newId, underWay } = world
  return createApp({
    endpoints: [
      ...deliveryEndpoints(world, parts),
      ...endpoints(edgesOperations, edgeDependencies(world, parts)),
      getHealth.endpoint({ health: healthOf(world, parts), version: settings.version, now }),
    ],
    authenticate: authenticateWith([bearerAuthenticator(ownTokenOnly(settings.token))]),
    rateLimits: createRateLimits({ rows: [], windows: createMemoryRateWindows(), now }),
    trustedProxies: trustedProxies(settings.trustedProxies),
    now,
    newId,
    log,
    underWay,
    ...(settings.checksResponses && { responseCheck: createResponseCheck(log) }),
    onResponse: parts.onResponse,
  })
}

/** An edge behind this one has the same token. */
function ownTokenOnly(token: Secret) {
  const isOwn = secretCheck([token])
  const grant = { id: 'edge-token', scopes: new Set(['edges:sync']), zones: undefined }
  return (secret: string) => (isOwn(secret) ? grant : undefined)
}

function deliveryEndpoints(
  { settings, now }: EdgeNodeWorld,
  { replicated, media, blobs }: Parts,
): readonly Endpoint[] {
  const { replica } = replicated
  const { baseUrl, previewHost, previousSignedUrlSecret, signedUrlMaxAgeSeconds } = settings
  const zoneOfHost = (hostname: string) => replica.published.zoneOfHost(hostname)
  const named = hostsOf({ previewHost, zoneOfHost })
  const signing = {
    signedUrlSecret: settings.signedUrlSecret ?? unguessable(),
    previousSignedUrlSecret,
    signedUrlMaxAgeSeconds,
    now,
  }
  const published = deliverableAt(replica.published, now)
  const pinned = pinnedOf({ now }, { manifest: replica.published, pins: replicated.pins })
  const isOurHost = namesAssets({ baseUrl, ...named })
  const { images, streams, thumbnails, drawings } = media
  const hostRules = { ...named, withheld: createWithheldAssets(replica.published) }
  const ruledSvgs = createRuledSvgs({ published: replica.published, drawings })
  const transforms = createNamedTransforms(replica.published)
  return [
    transformImage.endpoint({
      images,
      ruledSvgs,
      published,
      pinned,
      named: transforms,
      now,
      isOurHost,
      ...hostRules,
    }),
    getIiifImage.endpoint({ ...media, published, pinned, now, ruledSvgs, baseUrl, ...hostRules }),
    ...endpoints(responsiveImageOperations, {
      described: createDescribedImages(media),
      pinned,
      modeOf: media.modeOf,
      baseUrl,
      ...hostRules,
    }),
    ...endpoints(autoOperations, { images, published, pinned, now, ruledSvgs, ...hostRules }),
    getSigned.endpoint({
      published,
      pinned,
      images,
      ruledSvgs,
      named: transforms,
      reader: readerOf(blobs),
      ...signing,
    }),
    getStream.endpoint({ streams, pinned, ...signing, ...hostRules }),
    getThumbnails.endpoint({ thumbnails, pinned, ...signing, ...hostRules }),
  ]
}

/** Nothing that is signed comes here then. */
export const unguessable = (): Secret => new Secret(crypto.randomUUID() + crypto.randomUUID())

const readerOf = (blobs: Pick<BlobStore, 'open'>): FileReader => ({
  async open(asset, range) {
    const blob = await blobs.open(asset.sha256, range)
    if (blob !== undefined) return blob
    throw new ServiceError('Unavailable', `The bytes of "${asset.path}" cannot be read right now`)
  },
})

function edgeDependencies(
  { settings, now }: EdgeNodeWorld,
  { replicated, blobs, broadcasts, certificatesAtHand, ...parts }: Parts,
) {
  const { changes, parts: manifestParts, origin } = replicated
  return {
    changes,
    broadcasts,
    manifestParts,
    blobs,
    isCurrent: parts.isConnected,
    acknowledge: (all: readonly Acknowledgement[]) =>
      parts.acknowledge(all.map((each) => ({ ...each, via: each.via ?? settings.name }))),
    recordTraffic: async (flush: TrafficFlush) => void (await parts.recordTraffic(flush)),
    handedOutImages: passedOnImages(origin),
    // Their bytes come as an edge behind this one asks for them.
    handedOutPast: handedOutPast(replicated.past),
    handedOut: certificatesAtHand ?? passedOnCertificates(origin),
    isPrivateWay: privateWays(settings),
    leaseQuota: origin.leaseQuota.bind(origin),
    now,
  }
}

/** An edge that has lost its origin still serves: only whoever asks closely is told. */
const healthOf = ({ monotonicMs, log }: EdgeNodeWorld, { replicated, isConnected }: Parts) =>
  createHealth({
    probes: [
      {
        name: 'database',
        isDeep: false,
        run: async () => requireTrue(await replicated.database.isHealthy()),
      },
      {
        name: 'manifest',
        isDeep: false,
        run: async () => requireTrue(replicated.replica.position !== undefined),
      },
      { name: 'origin', isDeep: true, run: async () => requireTrue(isConnected()) },
    ],
    monotonicMs,
    log,
  })

function requireTrue(isWell: boolean): void {
  if (!isWell) throw new Error('it says that it is not well')
}
