import { type Attributes, keyValuesOf, nanosecondsOf } from './attributes.ts'
import type { Message } from './protobuf.ts'

/** The span that caused another one (W3C Trace Context). */
export interface ParentSpan {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits. */
  readonly parentId: string
  readonly isSampled: boolean
}

/** A request that was responded to. Times are in milliseconds since the epoch. */
export interface ServerSpan {
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly parent: ParentSpan | undefined
  /** Whether it failed by a fault of the service. */
  readonly isError: boolean
}

const serverKind = 2
const errorCode = 2
const sampledFlag = 1

/** In the trace of its parent, else in one that begins with it. */
export function spanRecordOf(span: ServerSpan, traceId: string, spanId: string): Message {
  const { name, startMs, endMs, attributes, parent, isError } = span
  return {
    traceId,
    spanId,
    parentSpanId: parent?.parentId,
    name,
    kind: serverKind,
    startTimeUnixNano: nanosecondsOf(startMs),
    endTimeUnixNano: nanosecondsOf(endMs),
    attributes: keyValuesOf(attributes),
    status: isError ? { code: errorCode } : undefined,
    flags: sampledFlag,
  }
}
