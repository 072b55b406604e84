import { firstByteOf } from '../../http/response/respond.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import type { Visit } from '../routing/decision.ts'
import type { Entry } from './entry.ts'
import type { Serve } from './serve.ts'

interface Options {
  readonly serve: Serve
  /** The response where the bytes cannot be had. */
  readonly refuse: (visit: Visit, entry: Entry) => Response | Promise<Response>
}

/**
 * Serves what is here at once; what has to be fetched from elsewhere once its first byte is here, so that
 * what cannot be had is refused, and not begun and broken off.
 */
export function createServeFetched({ serve, refuse }: Options) {
  async function serveOnceThere(visit: Visit, entry: Entry, cache: CacheResult): Promise<Response> {
    const { body, sizeBytes, etag, lastModified } = entry.identity
    const validators = { etag, lastModified }
    const first = firstByteOf(visit.request, { validators, sizeBytes })
    try {
      if (first !== undefined) await body.slice(first, first + 1).bytes()
    } catch (error) {
      if (!isUnavailable(error, 'blobs')) throw error
      return await refuse(visit, entry)
    }
    return serve(visit, entry, cache)
  }

  return (visit: Visit, entry: Entry, cache: CacheResult): Response | Promise<Response> =>
    entry.identity.body instanceof Blob
      ? serve(visit, entry, cache)
      : serveOnceThere(visit, entry, cache)
}
