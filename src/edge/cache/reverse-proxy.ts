import { toServiceError, errorResponse } from '../../http/response/envelopes.ts'
import { cacheStatusMember } from './rfc9111/cache-status.ts'
import { createHttpCache, type HttpCacheOptions } from './http-cache.ts'
import { createOriginClient, type OriginClientOptions } from './origin/origin-client.ts'

export type ReverseProxyOptions = OriginClientOptions & {
  readonly cache: Omit<HttpCacheOptions, 'fetchOrigin'>
}

export interface ReverseProxy extends AsyncDisposable {
  /** Never rejects: an origin that does not answer is a 503 in the standard envelope. */
  fetch(request: Request): Response | Promise<Response>
}

/** A shared cache in front of any HTTP origin. */
export function createReverseProxy(options: ReverseProxyOptions): ReverseProxy {
  const { cache: cacheOptions, ...clientOptions } = options
  const fetchOrigin = createOriginClient(clientOptions)
  const cache = createHttpCache({ ...cacheOptions, fetchOrigin })
  const { now, name = 'sedge' } = cacheOptions

  const refuse = (thrown: unknown): Response =>
    errorResponse(toServiceError(thrown), {
      envelope: 'standard',
      requestId: crypto.randomUUID(),
      at: new Date(now()),
      headers: {
        'Cache-Status': cacheStatusMember(name, { fwd: 'miss', detail: 'origin-failed' }),
        Via: `1.1 ${name}`,
      },
    })

  return {
    fetch(request) {
      try {
        const answer = cache.fetch(request)
        return answer instanceof Promise ? answer.catch(refuse) : answer
      } catch (thrown) {
        return refuse(thrown)
      }
    },
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  }
}
