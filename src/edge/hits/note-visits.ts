import { subjectOf, type HeadVisit } from '../routing/decision.ts'
import type { RequestLine } from '../../ports/traffic/request-log-store.ts'
import { type Counted, hitStatus, type Outcome, type VisitCounter } from './count-visits.ts'
import { millisecondsSince, type RequestNoting } from './request-tap.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

export interface VisitFacts {
  readonly countryOf: (visit: HeadVisit) => string
  /** Whether the service's own pages ask. */
  readonly isOwn?: ((request: RequestHead) => boolean) | undefined
}

/** The same counter, which notes a line for each request, too, where there is room for one. */
export function notingVisits(
  counter: VisitCounter,
  requests: RequestNoting,
  facts: VisitFacts,
): VisitCounter {
  const note = (counted: Counted): void => {
    if (requests.tap.takes(counted.outcome.status))
      requests.tap.note(lineOf(counted, requests, facts))
  }
  return {
    count(visit, about, outcome) {
      counter.count(visit, about, outcome)
      note({ visit, about, outcome })
    },
    countAsset(counted) {
      counter.countAsset(counted)
      note(counted)
    },
    countLarge(counted) {
      counter.countLarge(counted)
      note(counted)
    },
    countHit(owner, hit) {
      counter.countHit(owner, hit)
      const status = hitStatus[hit.slot]
      if (!requests.tap.takes(status)) return
      const { visit, bodyBytes } = hit
      const outcome = { status, cache: 'HIT', bodyBytes } as const
      const about = subjectOf(owner.route.located)
      requests.tap.note(lineOf({ visit, about, outcome }, requests, facts))
    },
  }
}

const ofDashboard = { kind: 'session', id: 'session', name: 'dashboard' } as const

function lineOf(
  { visit, about, outcome }: Counted,
  { factsOf, now, monotonicMs }: RequestNoting,
  { countryOf, isOwn }: VisitFacts,
): RequestLine {
  const { request, clientAddress, startMs } = visit
  const { status, cache, bodyBytes, refusal } = outcome
  return {
    at: now(),
    ...factsOf(request, clientAddress),
    status,
    ms: startMs === undefined ? 0 : millisecondsSince(startMs, monotonicMs()),
    bytes: bodyBytes,
    ...(hasCacheResult(outcome) && { cache: cache === 'HIT' ? 'hit' : 'miss' }),
    zone: about.zone,
    ...(about.path !== '' && { asset: about.path }),
    ...(isOwn?.(request) === true && { by: ofDashboard }),
    country: countryOf(visit),
    ...(refusal && {
      code: refusal.code,
      reason: refusal.message,
      requestId: refusal.requestId,
    }),
  }
}

/** Redirects and refusals are made for each request. */
const hasCacheResult = ({ status }: Outcome): boolean => status < 300 || status === 304
