import { firstSpanOf } from '../../http/response/respond.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import { beginReading } from '../response/begun-bytes.ts'
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
    try {
      return serve(visit, await begun(visit, entry), cache)
    } catch (error) {
      if (!isUnavailable(error, 'blobs')) throw error
      return await refuse(visit, entry)
    }
  }

  return (visit: Visit, entry: Entry, cache: CacheResult): Response | Promise<Response> =>
    entry.identity.body instanceof Blob
      ? serve(visit, entry, cache)
      : serveOnceThere(visit, entry, cache)
}

/** The entry with the first of its bytes read, so that sending goes on from there. */
async function begun({ request }: Visit, entry: Entry): Promise<Entry> {
  const { identity, isCompressible, route } = entry
  const { body, sizeBytes, etag, lastModified } = identity
  const first = firstSpanOf(request, { validators: { etag, lastModified }, sizeBytes })
  if (first === undefined) return entry
  const { span, isOnly } = first
  // What is sent may be something else: then it is enough to know that it can be had.
  if (!isOnly || isCompressible || route.status !== 200) {
    await body.slice(span.start, span.start + 1).bytes()
    return entry
  }
  return { ...entry, identity: { ...identity, body: await beginReading(body, span) } }
}
