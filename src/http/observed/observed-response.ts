import type { Exchange } from '../exchange.ts'
import type { Operation } from '../operation.ts'
import type { RequestHead } from '../wire/request-head.ts'

export interface ObservedResponse extends MeasuredResponse {
  /** What the operation found out of who asks and what about, where there is one. */
  readonly found?: Pick<Exchange, 'requestId' | 'zone' | 'credential' | 'refusal'>
  readonly request: Request
}

/** What whoever measures is told of a response. */
export interface MeasuredResponse {
  /** `undefined` where the request was for none. */
  readonly operation: Operation | undefined
  /** What the handler said it is about. */
  readonly asset: string | undefined
  readonly request: RequestHead
  readonly response: Response
  readonly peerAddress: string
  readonly milliseconds: number
  /** Of the body, where it is known better than the response says. */
  readonly bodyBytes?: number
}
