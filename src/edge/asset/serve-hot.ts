import type { VisitCounter } from '../hits/count-visits.ts'
import type { Visit } from '../routing/decision.ts'
import type { Entries } from './entries.ts'
import type { Entry } from './entry.ts'
import type { Representation } from '../response/representation.ts'
import { maxUnfollowedBytes } from '../hits/transfers.ts'

interface Options {
  readonly entries: Entries
  readonly counter: VisitCounter
}

/**
 * The two answers that nearly every request gets, without what the others need: a whole body, and a
 * 304 to a client that sends back the very tag it was given. `undefined` where the request asks for
 * anything more: then the general way must be taken, which would come to the same answer.
 */
export function createServeHot({ entries, counter }: Options) {
  return (visit: Visit, entry: Entry): Response | undefined => {
    const { request } = visit
    const { headers } = request
    if (request.method !== 'GET' || entry.route.status !== 200 || asksMore(headers, entry))
      return undefined
    const representation = entry.isCompressible
      ? entries.select(entry, headers.get('accept-encoding'))
      : entry.identity
    if (representation === undefined || representation.sizeBytes > maxUnfollowedBytes)
      return undefined
    const tag = headers.get('if-none-match')
    if (tag === null)
      return headers.has('if-modified-since') ? undefined : whole(visit, entry, representation)
    return isItsOwn(tag, representation) ? unchanged(visit, entry, representation) : undefined
  }

  function whole(visit: Visit, entry: Entry, representation: Representation): Response {
    counter.countHit(entry, { visit, slot: 'full', bodyBytes: representation.sizeBytes })
    // So few bytes are never fetched from elsewhere while they are sent.
    return new Response(representation.body as Blob, representation.full('HIT'))
  }

  function unchanged(visit: Visit, entry: Entry, representation: Representation): Response {
    counter.countHit(entry, { visit, slot: 'notModified', bodyBytes: 0 })
    return new Response(null, representation.notModified('HIT'))
  }
}

/** A weak tag is equal too, but a client that sends one was not given it here. */
const isItsOwn = (tag: string, { etag }: Representation): boolean =>
  tag === etag && tag.startsWith('"') && tag.endsWith('"')

/** Bun joins repeated fields, and no host name holds a comma: two hosts are refused elsewhere. */
const asksMore = (headers: Headers, { isGuardedScript }: Entry): boolean =>
  headers.has('range') ||
  headers.has('if-match') ||
  headers.has('if-unmodified-since') ||
  headers.has('x-request-id') ||
  headers.has('want-repr-digest') ||
  headers.get('host')?.includes(',') === true ||
  (isGuardedScript && headers.has('service-worker'))
