import { parseAssetPath } from '../../domain/content/asset-path.ts'
import type { ObservedResponse } from '../../http/observed/observed-response.ts'
import type { Operation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

/** Counters of answers that are counted together. */
interface Cell {
  requests: number
  bytes: number
}

interface Counters {
  counter(key: {
    readonly zone: string
    readonly path: string
    readonly status: number
    readonly method: string
    readonly cache: 'HIT' | 'MISS'
    readonly country: string
    readonly isTransform?: boolean
  }): Cell
  readonly audience: {
    note(answered: Noted & { readonly milliseconds: number }): void
    addBytes(answered: Noted): void
    noteOwn(zone: string): void
  }
}

interface Noted {
  readonly zone: string
  readonly request: Request
  readonly bytes: number
}

/** Large bodies are told of as they are sent; `false` where one has to be counted whole at once. */
interface Transfers {
  follow(request: Request, sizeBytes: number, count: (bytes: number) => void): boolean
}

export type Named = Pick<Manifest, 'asset' | 'zone' | 'zoneOfHost'>

interface Dependencies {
  readonly transfers: Transfers | undefined
  readonly counters: Counters
  /** `zoneOfHost` knows the host names of previews, too. */
  readonly manifest: Named
  readonly countryOf: (request: Request, peerAddress: string) => string
  /** Whether the service's own pages asked, for whoever looks after it. */
  readonly isOwn: (request: Request) => boolean
}

/** As the edge has it. */
const maxUnfollowedBytes = 256 * 1024

/**
 * Counts what the API delivers (transforms, negotiated pictures, signed addresses, streams) just as
 * the edge counts what it does: every answer, refusals too, with the bytes of its body. What the
 * service's own pages ask for is no traffic.
 */
export function createDeliveryCounter(dependencies: Dependencies) {
  const { counters, transfers, manifest, countryOf, isOwn } = dependencies
  return (answered: ObservedResponse): void => {
    const { operation, request, response, peerAddress } = answered
    if (operation?.plane !== 'delivery' || operation.method !== 'get') return
    if (request.method === 'OPTIONS') return
    const about = subjectOf(answered, manifest)
    const { zone } = about
    if (isOwn(request)) {
      counters.audience.noteOwn(zone)
      return
    }
    const { milliseconds } = answered
    const key = {
      ...about,
      status: response.status,
      method: request.method,
      cache: isHit(response) ? 'HIT' : 'MISS',
      country: countryOf(request, peerAddress),
      ...(isOfTransform(answered) && { isTransform: true }),
    } as const
    counters.counter(key).requests += 1
    counters.audience.note({ zone, request, bytes: 0, milliseconds })
    countBody(answered, transfers, (bytes) => {
      counters.counter(key).bytes += bytes
      counters.audience.addBytes({ zone, request, bytes })
    })
  }
}

const transforms = new Set([
  'transformImage',
  'negotiateImage',
  'negotiateImageByPath',
  'getIiifImage',
])

/** Whether an operation makes images of assets, whatever it is asked for. */
export const isTransform = (operation: Operation | undefined): boolean =>
  transforms.has(operation?.id ?? '')

/** Whether an image was asked for that is made of the asset: what is signed says so in its query. */
const isOfTransform = ({ operation, request }: ObservedResponse): boolean =>
  isTransform(operation) || (operation?.id === 'getSigned' && /[?&]t(?:\.|%2E)/iu.test(request.url))

function countBody(
  { request, response, bodyBytes }: ObservedResponse,
  transfers: Transfers | undefined,
  count: (bytes: number) => void,
): void {
  const sizeBytes = bodyBytes ?? announcedBytes(request, response)
  const isLarge = sizeBytes > maxUnfollowedBytes
  if (!isLarge || transfers?.follow(request, sizeBytes, count) !== true) count(sizeBytes)
}

/** RFC 9211 §2.1. */
const isHit = ({ headers }: Response): boolean =>
  /;\s*hit\b/u.test(headers.get('cache-status') ?? '')

function announcedBytes({ method }: Request, { body, headers }: Response): number {
  if (method === 'HEAD' || body === null) return 0
  return Number(headers.get('content-length') ?? 0)
}

/** The zone and path that an answer of the API is about; `''` for none. */
export function subjectOf(
  { asset: noted, request, response }: ObservedResponse,
  manifest: Named,
): { readonly zone: string; readonly path: string } {
  const named = noted === undefined ? undefined : manifest.asset(noted)
  if (named !== undefined) return { zone: named.zone, path: named.path }
  const asked = noted ?? askedFor(request)
  if (response.status === 400 && isElsewhere(asked, request, manifest))
    return { zone: '', path: elsewherePath(asked) }
  const path = canonical(asked, request, manifest)
  const asset = manifest.asset(path)
  if (asset !== undefined) return { zone: asset.zone, path: asset.path }
  const zone = path.split('/')[0] ?? ''
  const isRefused = response.status >= 400
  return { zone: manifest.zone(zone) === undefined ? '' : zone, path: isRefused ? path : '' }
}

const pathPrefix = '/api/auto/'

/** As the operations of the plane spell what they are asked for. */
function askedFor({ url }: Request): string {
  const { searchParams: query, pathname } = new URL(url)
  if (pathname.startsWith(pathPrefix)) return pathname.slice(pathPrefix.length)
  return query.get('path') ?? query.get('video') ?? query.get('url') ?? ''
}

/** Whether an address was refused that is on a host of nobody here: then no asset of that path was asked for. */
function isElsewhere(asked: string, request: Request, manifest: Named): boolean {
  const hostname = isAddress(asked) ? URL.parse(asked)?.hostname : undefined
  return (
    hostname !== undefined &&
    hostname !== new URL(request.url).hostname &&
    manifest.zoneOfHost(hostname) === undefined
  )
}

/** As the edge names what was sent to such a host. */
const elsewherePath = (asked: string): string => asked.replace(/^https?:/iu, '').slice(0, 1024)

const isAddress = (text: string): boolean => /^https?:\/\//iu.test(text)

/** What is made of a former version, or of a preview, counts for the asset. */
const withoutVersion = (path: string): string => path.replace(/^(\/?)(?:@|%40)[^/]+\//u, '$1')

function canonical(asked: string, request: Request, manifest: Named): string {
  const url = isAddress(asked) ? URL.parse(asked) : null
  const path = withoutVersion(url?.pathname ?? asked)
  try {
    return parseAssetPath(path)
  } catch {
    const zone = manifest.zoneOfHost((url ?? new URL(request.url)).hostname)
    const plain = path.replace(/^\/+/u, '')
    return zone !== undefined && plain.startsWith('v1/') ? `${zone}/${plain}` : plain
  }
}
