import type { RequestDirectives } from '../rfc9111/cache-control.ts'
import type { ForwardReason } from '../rfc9111/cache-status.ts'
import type { Selected } from '../reuse/select-variant.ts'

/** One request for one key. */
export interface Exchange {
  readonly request: Request
  readonly key: string
  readonly directives: RequestDirectives
}

/** An exchange that needs the origin: why, and the stored response that would not do. */
export interface ForwardedRequest extends Exchange {
  readonly selected: Selected | undefined
  readonly reason: ForwardReason
}
