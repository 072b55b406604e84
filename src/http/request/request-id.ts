import type { FieldReader } from './conditional.ts'

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu

/** The id an incoming request already carries, where it is a well-formed uuid. */
export function incomingRequestId(headers: FieldReader): string | undefined {
  const value = headers.get('x-request-id')
  return value !== null && uuid.test(value) ? value : undefined
}

/** Where a request stands in a distributed trace (W3C Trace Context). */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string
  /** The caller's span, 16 hex digits. */
  readonly parentId: string
  readonly isSampled: boolean
}

const traceparent =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<parentId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/u

/** Reads a `traceparent` field; anything malformed counts as none (W3C Trace Context §3.2). */
export function parseTraceparent(field: string | null): Trace | undefined {
  const parts = field === null ? undefined : traceparent.exec(field)?.groups
  if (parts === undefined) return undefined
  const { traceId = '', parentId = '', flags = '', more } = parts
  // Only versions yet to come may have more members.
  if (more !== undefined && field?.startsWith('00')) return undefined
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** What to send on so that the next span is a child of `spanId`. */
export const continueTrace = (trace: Trace, spanId: string): string =>
  `00-${trace.traceId}-${spanId}-${trace.isSampled ? '01' : '00'}`

/** 16 hex digits out of a random uuid; never all zero, because the uuid's version digit is among them. */
export const spanIdFrom = (uuidText: string): string => uuidText.replaceAll('-', '').slice(0, 16)
