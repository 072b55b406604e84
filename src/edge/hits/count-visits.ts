import type { OfAsset, Subject, HeadVisit } from '../routing/decision.ts'
import { responseKindOf, type CountPlace, unchangedHit, wholeHit } from './asset-counts.ts'
import type { CacheResult, HitCounter, HitKey } from './hit-counter.ts'
import type { HitTap } from './hit-tap.ts'
import type { EndingRequest, Transfers } from './transfers.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

/** One answer, as it is counted. */
export interface Outcome {
  readonly status: number
  readonly cache: CacheResult
  readonly bodyBytes: number
  /** Of a refusal: what the client was told. */
  readonly refusal?: { readonly code: string; readonly message: string; readonly requestId: string }
}

export interface VisitCounter {
  count(visit: HeadVisit, about: Subject, outcome: Outcome): void
  /** As `count`, for an answer about an asset. */
  countAsset(counted: Counted): void
  /** As `countAsset`, for a large body, which counts as it is sent; and marks it where the client breaks off. */
  countLarge(counted: Counted & { readonly visit: EndingVisit }): void
  /** As `countAsset`, for an answer to GET from what is at hand. */
  countHit(owner: HitOwner, hit: Hit): void
}

/** A visit of which it is told when it ends too soon. */
interface EndingVisit extends HeadVisit {
  readonly request: EndingRequest
}

export interface Counted {
  readonly visit: HeadVisit
  readonly about: Subject
  readonly outcome: Outcome
}

export interface Hit {
  readonly visit: HeadVisit
  readonly slot: 'full' | 'notModified'
  readonly bodyBytes: number
}

/** What of an entry is needed to count for it. */
export interface HitOwner {
  readonly route: { readonly located: OfAsset }
  readonly place: CountPlace
  readonly isTransform?: boolean
}

interface Options {
  readonly tap: HitTap | undefined
  /** Whether the service's own pages ask, which is no traffic. */
  readonly isOwn?: ((request: RequestHead) => boolean) | undefined
  readonly monotonicMs: () => number
  readonly countryOf: (visit: HeadVisit) => string
  /** Absent: large bodies count whole as soon as they are begun. */
  readonly transfers: Pick<Transfers, 'follow'> | undefined
}

export function createVisitCounter(options: Options): VisitCounter {
  const { tap, countryOf, transfers, isOwn = () => false, monotonicMs } = options

  function note({ request, startMs }: HeadVisit, zone: string, bytes: number): void {
    const milliseconds = startMs === undefined ? 0 : monotonicMs() - startMs
    tap?.audience.note({ zone, request, bytes, milliseconds })
  }

  const isLeftOut = createLeavingOut(tap, isOwn)

  function countAsset(counted: Counted): void {
    const { visit, about, outcome } = counted
    if (tap === undefined || isLeftOut(visit, about.zone)) return
    const country = countryOf(visit)
    const kind = kindOf(counted)
    if (kind === undefined) add(counterOf(tap, counted, country), outcome)
    else tap.countAsset({ about, country, kind, bytes: outcome.bodyBytes, isTransform: false })
    note(visit, about.zone, outcome.bodyBytes)
  }

  return {
    countAsset,
    count(visit, about, outcome) {
      if (tap === undefined || isLeftOut(visit, about.zone)) return
      add(counterOf(tap, { visit, about, outcome }, countryOf(visit)), outcome)
      note(visit, about.zone, outcome.bodyBytes)
    },
    countHit({ route, place, isTransform = false }, { visit, slot, bodyBytes }) {
      const about = route.located.record
      if (tap === undefined || isLeftOut(visit, about.zone)) return
      note(visit, about.zone, bodyBytes)
      const kind = slot === 'full' ? wholeHit : unchangedHit
      const country = countryOf(visit)
      tap.countAsset({ about, country, kind, bytes: bodyBytes, isTransform, place })
    },
    countLarge(counted) {
      const { visit, outcome, about } = counted
      const { zone } = about
      if (tap === undefined || isLeftOut(visit, zone)) return
      const country = countryOf(visit)
      const isFollowed = transfers?.follow(visit.request, outcome.bodyBytes, (bytes) => {
        counterOf(tap, counted, country).bytes += bytes
        tap.audience.addBytes({ zone, request: visit.request, bytes })
      })
      const bodyBytes = isFollowed === true ? 0 : outcome.bodyBytes
      countAsset({ ...counted, outcome: { ...outcome, bodyBytes } })
      const markBrokenOff = () => void (counterOf(tap, counted, country).aborted += 1)
      visit.request.signal.addEventListener('abort', markBrokenOff, { once: true })
    },
  }
}

/** Answers whether one is to be left out of all counts but this one. */
const createLeavingOut =
  (tap: HitTap | undefined, isOwn: (request: RequestHead) => boolean) =>
  ({ request }: HeadVisit, zone: string): boolean => {
    const isLeft = isOwn(request)
    if (isLeft) tap?.audience.noteOwn(zone)
    return isLeft
  }

/** How a hit is counted, by what is sent. */
export const hitStatus: Readonly<Record<Hit['slot'], number>> = {
  full: 200,
  notModified: 304,
}

const counterOf = (hits: HitTap, counted: Counted, country: string): HitCounter =>
  hits.counter(keyOf(counted, country))

const keyOf = ({ visit, about, outcome }: Counted, country: string): HitKey => ({
  zone: about.zone,
  path: about.path,
  status: outcome.status,
  cache: outcome.cache,
  method: visit.request.method,
  country,
})

const kindOf = ({ visit, outcome }: Counted) =>
  responseKindOf({ method: visit.request.method, status: outcome.status, cache: outcome.cache })

function add(counter: HitCounter, { bodyBytes }: Outcome): void {
  counter.requests += 1
  counter.bytes += bodyBytes
}
