import { namesTwoHosts } from '../../http/request/host-field.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import { type WireRequest, type WireResponse, withFile } from '../../http/wire/wire-response.ts'
import type { OpenFiles } from '../../lib/files/open-files.ts'
import type { VisitCounter } from '../hits/count-visits.ts'
import { isForWorker, isRead } from '../routing/decide.ts'
import type { Entries } from './entries.ts'
import type { Entry } from './entry.ts'
import { type ChooseShared, hitOf, isFollowed, type SharedResponse } from './serve-hot.ts'
import { aboutOf, type Serving, type WireVisit } from './serve.ts'
import type { SmallAssets } from './small-assets.ts'

/**
 * The response, counted, where all of it is at hand; `undefined` where it is not, and nothing is counted then. The
 * URL is as it was sent: one that is not written in its normal form is not at hand.
 */
export type OnWire = (request: WireRequest, clientAddress?: string) => WireResponse | undefined

interface Options {
  readonly entries: Pick<Entries, 'find' | 'isCurrent' | 'adopt'>
  readonly small: Pick<SmallAssets, 'respond' | 'take'>
  readonly counter: Pick<VisitCounter, 'countHit' | 'countLarge'>
  readonly serving: Pick<Serving, 'serveOnWire'>
  readonly chooseShared: ChooseShared
  readonly files: Pick<OpenFiles, 'open'>
  readonly monotonicMs: () => number
}

/** Responds from what is at hand as it is sent, to the same end as `Edge.fetch`. Nothing here waits. */
export function createOnWire(options: Options): OnWire {
  const { entries, small, counter, serving, chooseShared, files, monotonicMs } = options

  function currentEntry(url: string): Entry | undefined {
    const entry = entries.find(url)
    return entry !== undefined && entries.isCurrent(entry) ? entry : undefined
  }

  function count(visit: WireVisit, entry: Entry, shared: SharedResponse): void {
    const hit = hitOf(visit, shared)
    if (!isFollowed(shared)) {
      counter.countHit(entry, hit)
      return
    }
    const outcome = { status: 200, cache: 'HIT', bodyBytes: hit.bodyBytes } as const
    counter.countLarge({ visit, about: aboutOf(entry), outcome })
  }

  return (request, clientAddress) => {
    const visit = { request, clientAddress, startMs: monotonicMs() }
    const known = currentEntry(request.url)
    const sent = known === undefined ? small.respond(visit) : undefined
    if (sent !== undefined) return sent
    const entry = known ?? entries.adopt(small.take(request.url))
    if (entry === undefined) return undefined
    const shared = chooseShared(request, entry)
    if (shared === undefined)
      return isPlain(request, entry) ? serving.serveOnWire(visit, entry) : undefined
    const wire = sharedOnWire(request, shared, files)
    if (wire !== undefined) count(visit, entry, shared)
    return wire
  }
}

/** Whether nothing is to be looked at but the entry. */
export const isPlain = (request: RequestHead, { isGuardedScript }: Entry): boolean =>
  isRead(request) && !namesTwoHosts(request) && !(isGuardedScript && isForWorker(request))

/** `undefined` where a file is to be sent that cannot be. */
function sharedOnWire(
  { takesFiles }: WireRequest,
  { representation, slot }: SharedResponse,
  files: Pick<OpenFiles, 'open'>,
): WireResponse | undefined {
  const { isFile, file, sizeBytes } = representation
  if (slot === 'notModified' || file === undefined) return representation.wire(slot)
  const sendable = takesFiles ? files.open(file, sizeBytes) : undefined
  if (sendable !== undefined) return withFile(representation.wire('beforeFile'), sendable)
  return isFile ? undefined : representation.wire(slot)
}
