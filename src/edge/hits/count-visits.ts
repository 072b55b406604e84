import { type OfAsset, subjectOf, type Subject, type HeadVisit } from '../routing/decision.ts'
import type { CacheResult, HitCounter, HitKey, OwnHitCounter } from './hit-counter.ts'
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

/** Remembers the counters that an owner's answers went to last, one for each common way of answering. */
export interface CounterMemory {
  full: OwnHitCounter | undefined
  notModified: OwnHitCounter | undefined
}

export interface VisitCounter {
  count(visit: HeadVisit, about: Subject, outcome: Outcome): void
  /** As `count`, without a look-up where the owner's last answer was counted together with this one. */
  countWith(memory: CounterMemory, counted: Counted): void
  /** As `countWith`, for a large body, which counts as it is sent; and marks it where the client breaks off. */
  countLarge(memory: CounterMemory, counted: Counted & { readonly visit: EndingVisit }): void
  /** As `countWith`, for an answer to GET from an entry. */
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
  readonly isTransform?: boolean
}

export interface Hit {
  readonly visit: HeadVisit
  readonly slot: keyof CounterMemory
  readonly bodyBytes: number
}

/** What of an entry is needed to count for it. */
export interface HitOwner {
  readonly counters: CounterMemory
  readonly route: { readonly located: OfAsset }
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

  function countWith(memory: CounterMemory, counted: Counted): void {
    if (tap === undefined || isLeftOut(counted.visit, counted.about.zone)) return
    const country = countryOf(counted.visit)
    const counter =
      ownCounterOf(tap, memory, { counted, country }) ?? counterOf(tap, counted, country)
    add(counter, counted.outcome)
    note(counted.visit, counted.about.zone, counted.outcome.bodyBytes)
  }

  return {
    countWith,
    count(visit, about, outcome) {
      if (tap === undefined || isLeftOut(visit, about.zone)) return
      add(counterOf(tap, { visit, about, outcome }, countryOf(visit)), outcome)
      note(visit, about.zone, outcome.bodyBytes)
    },
    countHit({ counters, route, isTransform = false }, { visit, slot, bodyBytes }) {
      const { zone } = route.located.record
      if (tap === undefined || isLeftOut(visit, zone)) return
      note(visit, zone, bodyBytes)
      const country = countryOf(visit)
      const known = counters[slot]
      if (known !== undefined && tap.isLive(known) && known.key.country === country) {
        known.requests += 1
        known.bytes += bodyBytes
        return
      }
      const about = subjectOf(route.located)
      const counted = {
        visit,
        about,
        outcome: { status: hitStatus[slot], cache: 'HIT', bodyBytes },
        isTransform,
      } as const
      const counter =
        ownCounterOf(tap, counters, { counted, country }) ?? counterOf(tap, counted, country)
      add(counter, counted.outcome)
    },
    countLarge(memory, counted) {
      const { visit, outcome, about } = counted
      const { zone } = about
      if (tap === undefined || isLeftOut(visit, zone)) return
      const country = countryOf(visit)
      const isFollowed = transfers?.follow(visit.request, outcome.bodyBytes, (bytes) => {
        counterOf(tap, counted, country).bytes += bytes
        tap.audience.addBytes({ zone, request: visit.request, bytes })
      })
      const bodyBytes = isFollowed === true ? 0 : outcome.bodyBytes
      countWith(memory, { ...counted, outcome: { ...outcome, bodyBytes } })
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
export const hitStatus: Readonly<Record<keyof CounterMemory, number>> = {
  full: 200,
  notModified: 304,
}

interface Wanted {
  readonly counted: Counted
  readonly country: string
}

/** The owner's counter for this kind of answer, live; `undefined` for a rare kind or where room is short. */
function ownCounterOf(
  hits: HitTap,
  memory: CounterMemory,
  { counted, country }: Wanted,
): HitCounter | undefined {
  const slot = slotOf(counted.visit, counted.outcome)
  if (slot === undefined) return undefined
  const known = memory[slot]
  const counter = known?.key.country === country ? known : hits.ownCounter(keyOf(counted, country))
  memory[slot] = counter
  return hits.isLive(counter) || hits.renew(counter) ? counter : undefined
}

const counterOf = (hits: HitTap, counted: Counted, country: string): HitCounter =>
  hits.counter(keyOf(counted, country))

const keyOf = ({ visit, about, outcome, isTransform }: Counted, country: string): HitKey => ({
  zone: about.zone,
  path: about.path,
  status: outcome.status,
  cache: outcome.cache,
  method: visit.request.method,
  country,
  ...(isTransform === true && { isTransform }),
})

function slotOf(
  { request }: HeadVisit,
  { status, cache }: Outcome,
): keyof CounterMemory | undefined {
  if (cache !== 'HIT' || request.method !== 'GET') return undefined
  if (status === 200) return 'full'
  return status === 304 ? 'notModified' : undefined
}

function add(counter: HitCounter, { bodyBytes }: Outcome): void {
  counter.requests += 1
  counter.bytes += bodyBytes
}
