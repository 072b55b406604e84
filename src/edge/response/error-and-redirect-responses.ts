import { apiVersion } from '../../http/response/api-version.ts'
import { clientCacheControl, commonFields } from './asset-fields.ts'
import type { Counter, Visit } from '../hits/count-visits.ts'
import type { Decision, Subject } from '../routing/decide.ts'
import { allowedMethods, refuse, requestIdOf, type Refusal } from './refusal.ts'
import type { RuleBook } from '../routing/rule-book.ts'
import { ruledResponse } from './ruled-fields.ts'

/** Answers that have no asset in them, each counted. */
export interface Replies {
  refuse(visit: Visit, refusal: Refusal, about: Subject): Response
  reply(visit: Visit, decision: Exclude<Decision, { kind: 'asset' }>): Response
  /** Delivered files carry these only for a client that sent an id. */
  requestIdFields(sent: string | null): Readonly<Record<string, string>> | undefined
}

interface Options {
  readonly counter: Counter
  readonly bookOf: () => RuleBook
  readonly now: () => Date
  readonly newId: () => string
}

const redirectCacheControl = 'public, max-age=60'

const preflightFields: Readonly<Record<string, string>> = {
  Allow: allowedMethods,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': allowedMethods,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
}

export function createReplies({ counter, bookOf, now, newId }: Options): Replies {
  const requestIdFields: Replies['requestIdFields'] = (sent) =>
    sent === null
      ? undefined
      : { 'X-Request-ID': requestIdOf(sent, newId), 'X-API-Version': apiVersion }

  /** Rules speak to redirects and refusals too, where there is a host that they could be for. */
  const ruled = (response: Response, { asked }: Subject): Response =>
    asked === undefined ? response : ruledResponse(bookOf(), asked, response)

  function refuseAndCount(visit: Visit, refusal: Refusal, about: Subject): Response {
    const { request } = visit
    const requestId = requestIdOf(request.headers.get('x-request-id'), newId)
    const isOwnHost = about.asked?.isOwnHost === true
    const response = ruled(refuse(refusal, { request, requestId, now: now(), isOwnHost }), about)
    const bodyBytes = sentBytes(request, response)
    counter.count(visit, about, { status: response.status, cache: 'MISS', bodyBytes })
    return response
  }

  function reply(visit: Visit, decision: Exclude<Decision, { kind: 'asset' }>): Response {
    if (decision.kind === 'refused') return refuseAndCount(visit, decision.refusal, decision.about)
    const idFields = requestIdFields(visit.request.headers.get('x-request-id'))
    if (decision.kind === 'preflight') return empty(204, { ...preflightFields, ...idFields })
    const { status, location, dependsOnClient, about } = decision
    counter.count(visit, about, { status, cache: 'MISS', bodyBytes: 0 })
    const redirect = empty(status, {
      ...Object.fromEntries(commonFields),
      Location: location,
      'Cache-Control': dependsOnClient ? clientCacheControl : redirectCacheControl,
      ...idFields,
    })
    return ruled(redirect, about)
  }

  return { requestIdFields, refuse: refuseAndCount, reply }
}

const sentBytes = ({ method }: Request, { headers }: Response): number =>
  method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0)

const empty = (status: number, headers: Readonly<Record<string, string>>): Response =>
  new Response(null, { status, headers: { ...headers } })
