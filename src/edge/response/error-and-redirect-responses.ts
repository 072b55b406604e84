import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import { ServiceError } from '../../domain/errors.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import { apiVersion, errorResponse, rangeNotSatisfiable } from '../../http/response/envelopes.ts'
import { unsatisfiedContentRange } from '../../http/response/ranges.ts'
import { asPage, wantsPage } from '../../http/response/refusal-page.ts'
import { commonFields } from './asset-fields.ts'
import type { VisitCounter } from '../hits/count-visits.ts'
import type { Decision, Subject, Visit } from '../routing/decision.ts'
import { allowedMethods, type Refusal } from '../routing/refusals.ts'
import { ruledResponse } from './ruled-fields.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

type Settled = Exclude<Decision, { kind: 'asset' | 'past' }>

/** Answers that have no asset in them, each counted. */
export interface ErrorAndRedirectResponses {
  refuse(visit: Visit, refusal: Refusal, about: Subject): Response
  settle(visit: Visit, decision: Settled): Response
  /** Delivered files carry these only for a client that sent an id. */
  requestIdFields(request: RequestHead): Readonly<Record<string, string>> | undefined
}

interface Options {
  readonly counter: VisitCounter
  readonly bookOf: RuleBooks
  readonly now: () => Date
  readonly newId: () => string
}

const preflightFields: Readonly<Record<string, string>> = {
  Allow: allowedMethods,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
}

export function createErrorAndRedirectResponses({
  counter,
  bookOf,
  now,
  newId,
}: Options): ErrorAndRedirectResponses {
  const requestIdOf = ({ headers }: RequestHead): string => incomingRequestId(headers) ?? newId()

  const requestIdFields: ErrorAndRedirectResponses['requestIdFields'] = (request) =>
    request.headers.has('x-request-id')
      ? { 'X-Request-ID': requestIdOf(request), 'X-API-Version': apiVersion }
      : undefined

  /** Rules speak to redirects and refusals too, where there is a host that they could be for. */
  const ruled = (response: Response, { url }: Subject): Response =>
    url === undefined ? response : ruledResponse(bookOf(url.zone), url, response)

  function refuseAndCount(visit: Visit, refusal: Refusal, about: Subject): Response {
    const { request } = visit
    const requestId = requestIdOf(request)
    const isOwnHost = about.url?.isOwnHost === true
    const response = ruled(refuse(refusal, { request, requestId, now: now(), isOwnHost }), about)
    const bodyBytes = sentBytes(request, response)
    const { code, message } = refusal
    const said = { code, message, requestId }
    counter.count(visit, about, {
      status: response.status,
      cache: 'MISS',
      bodyBytes,
      refusal: said,
    })
    return response
  }

  function settle(visit: Visit, decision: Settled): Response {
    if (decision.kind === 'refused') return refuseAndCount(visit, decision.refusal, decision.about)
    const idFields = requestIdFields(visit.request)
    if (decision.kind === 'preflight') return empty(204, { ...preflightFields, ...idFields })
    const { status, location, dependsOnClient, about } = decision
    counter.count(visit, about, { status, cache: 'MISS', bodyBytes: 0 })
    const redirect = empty(status, {
      ...Object.fromEntries(commonFields),
      Location: location,
      'Cache-Control': dependsOnClient ? cacheLifetimes.comparedEachTime : cacheLifetimes.redirect,
      ...idFields,
    })
    return ruled(redirect, about)
  }

  return { requestIdFields, refuse: refuseAndCount, settle }
}

const sentBytes = ({ method }: Request, { headers }: Response): number =>
  method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0)

const empty = (status: number, headers: Readonly<Record<string, string>>): Response =>
  new Response(null, { status, headers: { ...headers } })

/** A range of which no byte is there (RFC 9110 §15.5.17). */
export const noSuchRange = ({ sizeBytes }: { readonly sizeBytes: number }): Refusal => {
  const { code, message, target } = rangeNotSatisfiable(sizeBytes)
  return {
    code,
    message,
    ...(target !== undefined && { target }),
    headers: { 'Content-Range': unsatisfiedContentRange(sizeBytes), 'Accept-Ranges': 'bytes' },
  }
}

interface RefusedRequest {
  readonly request: Request
  readonly requestId: string
  readonly now: Date
  /** Whether the service's own pages are on the host that was asked. */
  readonly isOwnHost: boolean
}

/**
 * The standard error envelope, or a page for whoever reads it in a browser. Never stored, so that what is
 * published next is seen at once.
 */
function refuse(
  { code, message, target, headers = {}, context = {} }: Refusal,
  { request, requestId, now, isOwnHost }: RefusedRequest,
): Response {
  const error = new ServiceError(code, message, {
    context,
    ...(target !== undefined && { target }),
  })
  const response = errorResponse(error, {
    envelope: 'standard',
    requestId,
    at: now,
    headers: { ...Object.fromEntries(commonFields), ...headers },
  })
  if (!wantsPage(request)) return response
  return asPage(response, error, { url: request.url, requestId, isOwnHost })
}
