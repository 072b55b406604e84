import { apiVersion } from '../http/api-version.ts'
import { incomingRequestId } from '../http/request-id.ts'
import { withSentBytes } from '../http/sent-bytes.ts'
import type { HttpCache } from './cache/http-cache.ts'

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
  readonly requestIds: RequestIds
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  readonly onAnswer: (delivered: DeliveredFromCache) => void
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

const cachedPaths = ['/api/transform', '/api/auto', '/api/stream'] as const

/** The shared cache in front of what the delivery plane makes: pictures, playlists, segments. */
export function createCachedDelivery(dependencies: Dependencies): CachedDelivery {
  const { cache, requestIds, monotonicMs, onAnswer } = dependencies
  return {
    takes: (request) =>
      (request.method === 'GET' || request.method === 'HEAD') &&
      isCachedPath(request.url) &&
      // What asks for a version is for the interface to judge.
      !request.headers.has('x-api-version'),
    async fetch(request, peerAddress) {
      const start = monotonicMs()
      const response = await cache.fetch(request)
      // A stored answer carries the id of the request that it was first made for.
      response.headers.set('X-Request-ID', requestIds.of(request))
      response.headers.set('X-API-Version', apiVersion)
      const milliseconds = monotonicMs() - start
      const delivered = { request, response, peerAddress, asset: sourceOf(response), milliseconds }
      // What is being stored while it is sent does not say how long it will be.
      return withSentBytes(request, response, (bodyBytes) => onAnswer({ ...delivered, bodyBytes }))
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

const pathTag = 'path:'

function sourceOf({ headers }: Response): string | undefined {
  const tag = headers
    .get('cache-tag')
    ?.split(',')
    .find((each) => each.startsWith(pathTag))
  return tag && decodeURIComponent(tag.slice(pathTag.length))
}
