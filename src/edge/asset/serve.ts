import {
  assetOnWire,
  assetResponse,
  type Question,
  responseWithStatus,
} from '../response/asset-response.ts'
import type { VisitCounter } from '../hits/count-visits.ts'
import type { HeadVisit, Subject, Visit } from '../routing/decision.ts'
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
import type { WireRequest, WireResponse } from '../../http/wire/wire-response.ts'

interface Options {
  readonly entries: Entries
  readonly responses: ErrorAndRedirectResponses
  readonly counter: VisitCounter
  readonly now: () => Date
  readonly newId: () => string
}

export type Serve = (visit: Visit, entry: Entry, cache: CacheResult) => Response

/** What is asked for over a connection of HTTP/1.1. */
export interface WireVisit extends HeadVisit {
  readonly request: WireRequest
}

export interface Serving {
  serve: Serve
  /** The same of a hit, where all of it is at hand; `undefined` where it is not, and nothing is counted then. */
  serveOnWire(visit: WireVisit, entry: Entry): WireResponse | undefined
}

/** Answers GET and HEAD from prepared entries, whatever they ask for. Nothing here waits. */
export function createServe({ entries, responses, counter, now, newId }: Options): Serving {
  function extraFields({ request }: HeadVisit, representation: Representation) {
    const idFields = responses.requestIdFields(request)
    const wantDigest = request.headers.get('want-repr-digest')
    if (idFields === undefined && wantDigest === null) return undefined
    return {
      ...idFields,
      ...(wantsSha256(wantDigest) && { 'Repr-Digest': `sha-256=:${representation.digest}:` }),
    }
  }

  const representationFor = (entry: Entry, { request }: HeadVisit): Representation | undefined =>
    entry.isCompressible
      ? (entries.delta(entry, request.headers) ??
        entries.select(entry, request.headers.get('accept-encoding')))
      : entry.identity

  function questionOf(
    visit: HeadVisit,
    representation: Representation,
    cache: CacheResult,
  ): Question {
    const extra = extraFields(visit, representation)
    return { request: visit.request, representation, cache, extra, now, newBoundary: newId }
  }

  function serve(visit: Visit, entry: Entry, cache: CacheResult): Response {
    const representation = representationFor(entry, visit)
    const { status } = entry.route
    const about = aboutOf(entry)
    if (representation === undefined) return responses.refuse(visit, refusals.notAcceptable, about)
    const question = questionOf(visit, representation, cache)
    const given = status === 200 ? assetResponse(question) : responseWithStatus(question, status)
    if (given === 'precondition') return responses.refuse(visit, refusals.preconditionFailed, about)
    if (given === 'range') return responses.refuse(visit, noSuchRange(representation), about)
    const { response, bodyBytes } = given
    const outcome = { status: response.status, cache, bodyBytes }
    const counted = { visit, about, outcome }
    if (bodyBytes > maxUnfollowedBytes) counter.countLarge(counted)
    else counter.countAsset(counted)
    return response
  }

  function serveOnWire(visit: WireVisit, entry: Entry): WireResponse | undefined {
    const representation = representationFor(entry, visit)
    if (representation === undefined || entry.route.status !== 200) return undefined
    if (representation.isFile && !visit.request.takesFiles) return undefined
    const wire = assetOnWire(questionOf(visit, representation, 'HIT'))
    if (wire === undefined) return undefined
    const { status, bodyBytes } = wire
    const outcome = { status, cache: 'HIT', bodyBytes } as const
    const counted = { visit, about: aboutOf(entry), outcome }
    if (bodyBytes > maxUnfollowedBytes) counter.countLarge(counted)
    else counter.countAsset(counted)
    return wire
  }

  return { serve, serveOnWire }
}

export const aboutOf = ({ route: { located, url } }: Entry): Subject => ({
  zone: located.record.zone,
  path: located.record.path,
  url,
})
