import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import type { CacheStatus } from '../rfc9111/cache-status.ts'
import type { SharedOutcome } from './collapsing.ts'
import { Fill } from '../store/fill.ts'
import type { ForwardedRequest } from './forwarded-request.ts'
import type { Outcome } from './origin-fetch.ts'
import { mayStandInForError } from '../reuse/decide-reuse.ts'
import {
  responseFromOrigin,
  responseFromStored,
  type CacheIdentity,
} from '../reuse/cached-response.ts'
import { freshForMs, type StoredResponse } from '../store/stored-response.ts'

export interface OutcomeResponseOptions {
  readonly policy: CachePolicy
  readonly identity: CacheIdentity
  readonly now: () => number
}

/** The response to a request that went forward. Rejects where the origin failed and nothing can stand in. */
export async function outcomeResponse(
  forwarded: ForwardedRequest,
  outcome: SharedOutcome,
  options: OutcomeResponseOptions,
): Promise<Response> {
  const { kind } = outcome
  if (kind === 'stored') return answerFilling(forwarded, outcome, options)
  if (kind === 'passed') return answerPassed(forwarded, outcome, options)
  if (kind === 'failed') return answerFailed(forwarded, outcome.error, options)
  const { stored } = outcome
  const told =
    kind === 'validated' ? { fwdStatus: 304, stored: outcome.isKept } : { collapsed: true }
  return answerOnceWhole(forwarded, { stored, told }, options)
}

async function answerFilling(
  forwarded: ForwardedRequest,
  { stored, fields }: Extract<Outcome, { kind: 'stored' }>,
  options: OutcomeResponseOptions,
): Promise<Response> {
  const told = { fwdStatus: stored.status, stored: true }
  return answerOnceWhole(forwarded, { stored, told, originFields: fields }, options)
}

async function answerOnceWhole(
  forwarded: ForwardedRequest,
  used: Used,
  options: OutcomeResponseOptions,
): Promise<Response> {
  const { body } = used.stored
  const isAwaited = (body.sizeBytes ?? Infinity) <= options.policy.awaitedBodyBytes
  if (isAwaited && body instanceof Fill && (await body.settled) === 'failed')
    return answerFailed(forwarded, new Error('The origin broke its answer off'), options)
  return answerWith(forwarded, used, options)
}

interface Used {
  readonly stored: StoredResponse
  readonly told: CacheStatus
  readonly originFields?: Headers
}

function answerWith(
  { request, reason, key }: ForwardedRequest,
  { told, ...used }: Used,
  { identity, policy, now }: OutcomeResponseOptions,
): Response {
  const at = now()
  const ttl = Math.floor(freshForMs(used.stored, at) / 1000)
  const status = { fwd: reason, ...told, ttl, ...(policy.showsKey ? { key } : {}) }
  return responseFromStored({ ...used, request, status, identity, now: at })
}

async function answerPassed(
  forwarded: ForwardedRequest,
  { response, fields, detail }: Extract<Outcome, { kind: 'passed' }>,
  options: OutcomeResponseOptions,
): Promise<Response> {
  const standIn = answerStandIn(forwarded, response.status, options)
  if (standIn !== undefined) {
    await response.body?.cancel()
    return standIn
  }
  const remark = detail === undefined ? {} : { detail }
  const status = { fwd: forwarded.reason, fwdStatus: response.status, ...remark }
  return responseFromOrigin(response, fields, { status, identity: options.identity })
}

async function answerFailed(
  forwarded: ForwardedRequest,
  error: unknown,
  options: OutcomeResponseOptions,
): Promise<Response> {
  const standIn = answerStandIn(forwarded, undefined, options)
  if (standIn === undefined) throw error
  return standIn
}

/** The stale response, where it may stand in for the error that the origin gave. */
function answerStandIn(
  forwarded: ForwardedRequest,
  status: number | undefined,
  options: OutcomeResponseOptions,
): Response | undefined {
  const { selected, directives } = forwarded
  const { policy, now } = options
  const question = { directives, status, policy, now: now() }
  if (selected === undefined || !mayStandInForError({ ...selected, ...question })) return undefined
  const fwdStatus = status === undefined ? {} : { fwdStatus: status }
  const told = { ...fwdStatus, detail: 'stale-if-error' }
  return answerWith(forwarded, { stored: selected.stored, told }, options)
}
