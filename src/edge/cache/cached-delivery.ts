import { ServiceError } from '../../domain/errors.ts'
import { apiVersion, errorResponse, rangeNotSatisfiable } from '../../http/response/envelopes.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import { withSentBytes } from '../../http/response/sent-bytes.ts'
import { unknownParameters } from '../purge/delivery-key.ts'
import type { HotDelivery } from './hot-delivery.ts'
import type { HttpCache } from './http-cache.ts'
import { hideOwnTags, sourceOf } from './shown-tags.ts'

export interface DeliveredFromCache {
  readonly request: Request
  readonly response: Response
  readonly peerAddress: string
  /** What the answer was made from, `<zone>/v1/…`, where it says so. */
  readonly asset: string | undefined
  readonly milliseconds: number
  readonly bodyBytes: number
}

interface Dependencies {
  readonly cache: HttpCache
  /** Learns what is answered from the cache. */
  readonly hot: Pick<HotDelivery, 'learn'>
  /** What the cache is in front of, for requests that are not the cache's to judge; counts by itself. */
  readonly direct: (request: Request, peerAddress: string) => Promise<Response>
  readonly requestIds: RequestIds
  readonly now: () => Date
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  readonly onResponse: (delivered: DeliveredFromCache) => void
}

export interface CachedDelivery {
  /** Whether the cache is asked: a plain reading request for something the delivery plane makes. */
  takes(request: Request): boolean
  fetch(request: Request, peerAddress: string): Promise<Response>
}

/** The one id of each request, whether the cache or what lies behind it speaks of it first. */
export interface RequestIds {
  of(request: Request): string
}

export function createRequestIds(newId: () => string): RequestIds {
  const given = new WeakMap<Request, string>()
  return {
    of(request) {
      const id = incomingRequestId(request.headers) ?? given.get(request) ?? newId()
      given.set(request, id)
      return id
    },
  }
}

const cachedPaths = [
  '/api/transform',
  '/api/auto',
  '/api/picture',
  '/api/stream',
  '/iiif/3',
] as const

/** The shared cache in front of what the delivery plane makes: pictures, playlists, segments. */
export function createCachedDelivery(dependencies: Dependencies): CachedDelivery {
  const { cache, hot, direct, requestIds, now, monotonicMs, onResponse } = dependencies

  /** The cache answers what does not hold as any HTTP cache does, without a body. */
  const inEnvelope = (request: Request, response: Response): Response => {
    const error = errorOf(response)
    if (error === undefined) return response
    const requestId = requestIds.of(request)
    const refusal = errorResponse(error, { envelope: 'flat', requestId, at: now() })
    for (const [name, value] of response.headers)
      if (keptFields.has(name)) refusal.headers.set(name, value)
    return request.method === 'HEAD' ? new Response(null, refusal) : refusal
  }

  return {
    takes: (request) =>
      (request.method === 'GET' || request.method === 'HEAD') && isCachedPath(request.url),
    async fetch(request, peerAddress) {
      const start = monotonicMs()
      // Whether there is such a version is for the interface to judge.
      if (request.headers.has('x-api-version'))
        return withoutOwnTags(await direct(request, peerAddress))
      const response = inEnvelope(request, await cache.fetch(request))
      // A stored answer carries the id of the request that it was first made for.
      response.headers.set('X-Request-ID', requestIds.of(request))
      response.headers.set('X-API-Version', apiVersion)
      const milliseconds = monotonicMs() - start
      const delivered = {
        request,
        response,
        peerAddress,
        asset: sourceOf(response.headers),
        milliseconds,
      }
      withoutOwnTags(response)
      noteUnknown(request, response)
      hot.learn(request)
      // What is being stored while it is sent does not say how long it will be.
      return withSentBytes(request, response, (bodyBytes) =>
        onResponse({ ...delivered, bodyBytes }),
      )
    },
  }
}

/** Every request passes here, so nothing is parsed. */
function isCachedPath(url: string): boolean {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return cachedPaths.some((prefix) => {
    if (!url.startsWith(prefix, path)) return false
    const next = url[path + prefix.length]
    return next === '?' || next === '/'
  })
}

const keptFields: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-status',
  'content-range',
  'via',
])

function errorOf(response: Response): ServiceError | undefined {
  const { status, headers } = response
  // To ask for the body is to make a stream of it, so it is asked for last.
  if ((status !== 412 && status !== 416) || response.body !== null) return undefined
  if (status === 412)
    return new ServiceError('PreconditionFailed', 'What is there is not what the request names')
  return rangeNotSatisfiable(Number(headers.get('content-range')?.split('/')[1] ?? 0))
}

/** What is stored was made for others too, who may have misspelled nothing. */
function noteUnknown({ url }: Request, { ok, headers }: Response): void {
  const unknown = ok ? unknownParameters(url) : []
  for (const name of unknown) headers.append('Image-Notes', `unknown-parameter-${name}`)
}

function withoutOwnTags(response: Response): Response {
  hideOwnTags(response.headers)
  return response
}
