import type { RequestHead } from '../../http/wire/request-head.ts'
import type { Hit } from '../hits/count-visits.ts'
import type { HeadVisit } from '../routing/decision.ts'
import type { Entries } from './entries.ts'
import type { Entry } from './entry.ts'
import type { Representation } from '../response/representation.ts'
import { maxUnfollowedBytes } from '../hits/transfers.ts'

/** A response that is the same for all who get it. */
export interface SharedResponse {
  readonly representation: Representation
  readonly slot: 'full' | 'notModified'
}

export type ChooseShared = (request: RequestHead, entry: Entry) => SharedResponse | undefined

/**
 * Chooses between the two answers that nearly every request gets, without what the others need: a whole
 * body, and a 304 to a client that sends back the very tag it was given. `undefined` where the request asks
 * for anything more: then the general way must be taken, which would come to the same answer.
 */
export const createChooseShared =
  (entries: Pick<Entries, 'select'>): ChooseShared =>
  (request, entry) => {
    const { headers } = request
    if (request.method !== 'GET' || entry.route.status !== 200 || asksMore(request, entry))
      return undefined
    const representation = entry.isCompressible
      ? entries.select(entry, headers.get('accept-encoding'))
      : entry.identity
    if (representation === undefined) return undefined
    const slot = slotOf(headers, representation)
    return slot && { representation, slot }
  }

/** Whether its body is followed while it is sent. */
export const isFollowed = ({ representation, slot }: SharedResponse): boolean =>
  slot === 'full' && representation.sizeBytes > maxUnfollowedBytes

/** As it is counted, where it is not followed. */
export const hitOf = (visit: HeadVisit, { representation, slot }: SharedResponse): Hit => ({
  visit,
  slot,
  bodyBytes: slot === 'full' ? representation.sizeBytes : 0,
})

/** So few bytes are never fetched from elsewhere while they are sent. */
export const toResponse = ({ representation, slot }: SharedResponse): Response =>
  slot === 'full'
    ? new Response(representation.body as Blob, representation.full('HIT'))
    : new Response(null, representation.notModified('HIT'))

function slotOf(
  headers: Headers,
  representation: Representation,
): SharedResponse['slot'] | undefined {
  const tag = headers.get('if-none-match')
  if (tag === null) return headers.has('if-modified-since') ? undefined : 'full'
  return isItsOwn(tag, representation) ? 'notModified' : undefined
}

/** A weak tag is equal too, but a client that sends one was not given it here. */
const isItsOwn = (tag: string, { etag }: Representation): boolean =>
  tag === etag && tag.startsWith('"') && tag.endsWith('"')

const askedSeldom = [
  'range',
  'if-match',
  'if-unmodified-since',
  'x-request-id',
  'want-repr-digest',
] as const

/** Bun joins repeated fields, and no host name holds a comma: two hosts are refused elsewhere. */
const asksMore = ({ headers }: RequestHead, { isGuardedScript, isCompressible }: Entry): boolean =>
  askedSeldom.some((name) => headers.has(name)) ||
  (isCompressible && headers.has('available-dictionary')) ||
  headers.get('host')?.includes(',') === true ||
  (isGuardedScript && headers.has('service-worker'))
