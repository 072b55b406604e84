import { assetResponse, responseWithStatus } from '../response/asset-response.ts'
import type { VisitCounter } from '../hits/count-visits.ts'
import type { Visit } from '../routing/decision.ts'
import type { Entries } from './entries.ts'
import type { Entry } from './entry.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import { refusals } from '../routing/refusals.ts'
import {
  noSuchRange,
  type ErrorAndRedirectResponses,
} from '../response/error-and-redirect-responses.ts'
import type { Representation } from '../response/representation.ts'
import { maxUnfollowedBytes } from '../hits/transfers.ts'
import { wantsSha256 } from '../../lib/text/structured-fields.ts'

interface Options {
  readonly entries: Entries
  readonly responses: ErrorAndRedirectResponses
  readonly counter: VisitCounter
  readonly now: () => Date
  readonly newId: () => string
}

export type Serve = (visit: Visit, entry: Entry, cache: CacheResult) => Response

/** Answers GET and HEAD from prepared entries, whatever they ask for. Nothing here waits. */
export function createServe({ entries, responses, counter, now, newId }: Options): Serve {
  function extraFields({ request }: Visit, representation: Representation) {
    const idFields = responses.requestIdFields(request)
    const wantDigest = request.headers.get('want-repr-digest')
    if (idFields === undefined && wantDigest === null) return undefined
    return {
      ...idFields,
      ...(wantsSha256(wantDigest) && { 'Repr-Digest': `sha-256=:${representation.digest}:` }),
    }
  }

  return (visit, entry, cache) => {
    const { request } = visit
    const representation = entry.isCompressible
      ? entries.select(entry, request.headers.get('accept-encoding'))
      : entry.identity
    const { located, url, status } = entry.route
    const about = { zone: located.record.zone, path: located.record.path, url }
    if (representation === undefined) return responses.refuse(visit, refusals.notAcceptable, about)
    const extra = extraFields(visit, representation)
    const question = { request, representation, cache, extra, now, newBoundary: newId }
    const given = status === 200 ? assetResponse(question) : responseWithStatus(question, status)
    if (given === 'precondition') return responses.refuse(visit, refusals.preconditionFailed, about)
    if (given === 'range') return responses.refuse(visit, noSuchRange(representation), about)
    const { response, bodyBytes } = given
    const outcome = { status: response.status, cache, bodyBytes }
    const counted = { visit, about, outcome }
    if (bodyBytes > maxUnfollowedBytes) counter.countLarge(entry.counters, counted)
    else counter.countWith(entry.counters, counted)
    return response
  }
}
