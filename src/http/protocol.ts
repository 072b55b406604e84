import type { ServiceError } from '../domain/errors.ts'

type HeaderFields = Readonly<Record<string, string>>

/** A standard that operations speak, where it asks more of a response than the envelope does. */
export interface Protocol {
  /** Sent with every response of the operation, refusals and those to `OPTIONS` too. */
  readonly headers: HeaderFields
  /** Whether `X-HTTP-Method-Override` says the method, whatever the request was sent with. */
  readonly takesMethodOverride?: boolean
  readonly refusal: (error: ServiceError) => ProtocolRefusal
}

/** What the standard asks of one refusal. The envelope is its body all the same. */
export interface ProtocolRefusal {
  /** Where it is another one than the code has elsewhere. */
  readonly status?: number
  readonly headers?: HeaderFields
  /** Makes the envelope a problem document (RFC 9457) as well, whose own members these are. */
  readonly problem?: { readonly type: string; readonly title: string } & Readonly<
    Record<string, unknown>
  >
}
