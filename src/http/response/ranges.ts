import { ifRangeHolds, type ConditionalRequest, type Validators } from '../request/conditional.ts'

/** Bytes from `start` up to, not including, `end`. Never empty. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

export type RangeDecision =
  /** 200: no range was asked for, or the request for one is to be ignored. */
  | { readonly kind: 'none' }
  /** 206 with Content-Range. */
  | { readonly kind: 'single'; readonly span: ByteSpan }
  /** 206 as multipart/byteranges. */
  | { readonly kind: 'multiple'; readonly spans: readonly ByteSpan[] }
  /** 416, with the size alone in Content-Range. */
  | { readonly kind: 'unsatisfiable' }

/** How many parts one answer may have; a request that needs more gets the whole. */
export const maxRangeParts = 16
/** Sorting is bounded too: a field of more members than this is ignored unread. */
const maxRangeMembers = 256

const none: RangeDecision = { kind: 'none' }

/**
 * What to send of a selected representation of `sizeBytes` bytes: Range and If-Range, on GET alone
 * (RFC 9110 §14.2). Evaluate the preconditions first.
 */
export function selectRange(
  request: ConditionalRequest,
  current: Validators & { readonly sizeBytes: number },
): RangeDecision {
  const range = request.headers.get('range')
  if (range === null || request.method !== 'GET') return none
  return ifRangeHolds(request.headers.get('if-range'), current)
    ? decideRange(range, current.sizeBytes)
    : none
}

/**
 * Reads a Range field against a size. Another unit, bad syntax, more than {@link maxRangeParts} parts
 * and an empty representation mean that the field is ignored. Ranges that touch or overlap are sent
 * as one, in ascending order; the rest keep the order they were asked in.
 */
export function decideRange(field: string, sizeBytes: number): RangeDecision {
  const set = /^\s*bytes\s*=(?<members>.*)$/iu.exec(field)?.groups?.['members']
  if (set === undefined || sizeBytes === 0) return none
  const members = set.split(',').map((member) => readMember(member.trim(), sizeBytes))
  const isIgnored = members.length > maxRangeMembers || members.includes('malformed')
  if (isIgnored || members.every((member) => member === 'empty')) return none
  return decideSpans(coalesce(members.filter((member) => typeof member === 'object')))
}

function decideSpans(spans: readonly ByteSpan[]): RangeDecision {
  const [first] = spans
  if (first === undefined) return { kind: 'unsatisfiable' }
  if (spans.length === 1) return { kind: 'single', span: first }
  return spans.length > maxRangeParts ? none : { kind: 'multiple', spans }
}

type Member = ByteSpan | 'empty' | 'malformed' | 'unsatisfiable'

function readMember(member: string, sizeBytes: number): Member {
  if (member === '') return 'empty'
  const groups = /^(?<first>\d*)\s*-\s*(?<last>\d*)$/u.exec(member)?.groups
  const { first = '', last = '' } = groups ?? {}
  if (first !== '') return fromFirst(Number(first), last, sizeBytes)
  return last === '' ? 'malformed' : fromSuffix(Number(last), sizeBytes)
}

// Number takes any count of digits; where it loses precision the value is far beyond every size.

function fromFirst(start: number, lastDigits: string, sizeBytes: number): Member {
  const last = lastDigits === '' ? Infinity : Number(lastDigits)
  if (last < start) return 'malformed'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(sizeBytes, last + 1) }
}

function fromSuffix(length: number, sizeBytes: number): Member {
  return length === 0 ? 'unsatisfiable' : { start: Math.max(0, sizeBytes - length), end: sizeBytes }
}

function coalesce(spans: readonly ByteSpan[]): readonly ByteSpan[] {
  const merged: ByteSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const previous = merged.at(-1)
    if (previous === undefined || span.start > previous.end) merged.push(span)
    else
      merged[merged.length - 1] = { start: previous.start, end: Math.max(previous.end, span.end) }
  }
  return merged.length === spans.length ? spans : merged
}

export const contentRange = ({ start, end }: ByteSpan, sizeBytes: number): string =>
  `bytes ${start}-${end - 1}/${sizeBytes}`

/** For a 416. */
export const unsatisfiedContentRange = (sizeBytes: number): string => `bytes */${sizeBytes}`

export interface MultipartLayout {
  /** For Content-Type. */
  readonly contentType: string
  readonly contentLength: number
  /** `head`, then the bytes of `span`, in this order; then `tail`. */
  readonly parts: readonly { readonly head: string; readonly span: ByteSpan }[]
  readonly tail: string
}

/**
 * The frame of a multipart/byteranges body (RFC 9110 §14.6). `boundary` must not occur in the bytes:
 * pass something random.
 */
export function multipartLayout(
  spans: readonly ByteSpan[],
  about: { readonly sizeBytes: number; readonly contentType: string; readonly boundary: string },
): MultipartLayout {
  const { sizeBytes, contentType, boundary } = about
  const parts = spans.map((span, index) => ({
    head:
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Range: ${contentRange(span, sizeBytes)}\r\n\r\n`,
    span,
  }))
  const tail = `\r\n--${boundary}--\r\n`
  const contentLength = parts.reduce(
    (sum, { head, span }) => sum + Buffer.byteLength(head) + span.end - span.start,
    Buffer.byteLength(tail),
  )
  return { contentType: `multipart/byteranges; boundary=${boundary}`, contentLength, parts, tail }
}
