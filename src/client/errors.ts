import type { Refusal } from './types.ts'

/** The service refused, or failed to answer; `code` says why and is never renamed. */
export class SedgeError extends Error implements Refusal {
  override readonly name = 'SedgeError'
  readonly status: Refusal['status']
  readonly code: Refusal['code']
  readonly target: Refusal['target']
  readonly details: Refusal['details']
  readonly requestId: Refusal['requestId']
  readonly retryAfterSeconds: Refusal['retryAfterSeconds']
  readonly body: Refusal['body']

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.status = refusal.status
    this.code = refusal.code
    this.target = refusal.target
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterSeconds = refusal.retryAfterSeconds
    this.body = refusal.body
  }
}

/** No response came: the service is not there, or the connection broke off. `cause` says more. */
export class SedgeConnectionError extends Error {
  override readonly name = 'SedgeConnectionError'
}
