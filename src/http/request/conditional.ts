import { parseHttpDate } from './http-date.ts'

/** What tells one state of a representation from another. */
export interface Validators {
  /** As sent, quotes and a `W/` included. */
  readonly etag: string | undefined
  readonly lastModified: Date | undefined
}

/** The reading half of `Headers`. */
export interface FieldReader {
  get(name: string): string | null
}

export interface ConditionalRequest {
  readonly method: string
  readonly headers: FieldReader
}

/** `not-modified` is for a 304, `failed` for a 412. */
export type Precondition = 'proceed' | 'not-modified' | 'failed'

/**
 * Evaluates the preconditions of a request in the order of RFC 9110 §13.2.2. `current` are the
 * validators of the selected representation (that is, after content coding), or `undefined` where
 * there is none. Call it only where the answer without preconditions would be a success: a missing
 * asset is a 404 whatever the conditions are.
 */
export function evaluatePreconditions(
  request: ConditionalRequest,
  current: Validators | undefined,
): Precondition {
  if (!writePreconditionHolds(request.headers, current)) return 'failed'
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const ifNoneMatch = request.headers.get('if-none-match')
  if (ifNoneMatch !== null) {
    if (!matchesAny(ifNoneMatch, current, weaklyEqual)) return 'proceed'
    return isRead ? 'not-modified' : 'failed'
  }
  return isRead && isUnmodifiedSince(request.headers.get('if-modified-since'), current)
    ? 'not-modified'
    : 'proceed'
}

/** If-Match, or where that is absent If-Unmodified-Since. */
function writePreconditionHolds(headers: FieldReader, current: Validators | undefined): boolean {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) return matchesAny(ifMatch, current, stronglyEqual)
  const since = headers.get('if-unmodified-since')
  return since === null || isUnmodifiedSince(since, current) !== false
}

/** `undefined` where the condition must be ignored: no date, a bad date, or nothing to compare with. */
function isUnmodifiedSince(
  field: string | null,
  current: Validators | undefined,
): boolean | undefined {
  if (field === null || current?.lastModified === undefined) return undefined
  const since = parseHttpDate(field)
  return since === undefined ? undefined : wholeSeconds(current.lastModified) <= since
}

/**
 * Whether a Range field is to be honoured in the light of If-Range (RFC 9110 §13.1.5): yes without
 * If-Range; else only for the very same strong entity-tag or the very same Last-Modified.
 */
export function ifRangeHolds(ifRange: string | null, current: Validators): boolean {
  if (ifRange === null) return true
  const value = ifRange.trim()
  if (value.startsWith('"') || value.startsWith('W/'))
    return current.etag !== undefined && stronglyEqual(value, current.etag)
  const date = parseHttpDate(value)
  return (
    date !== undefined &&
    current.lastModified !== undefined &&
    date === wholeSeconds(current.lastModified)
  )
}

/** HTTP knows no fractions of a second, so a fraction must not make a file look newer than its date. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000

function matchesAny(
  field: string,
  current: Validators | undefined,
  equal: (a: string, b: string) => boolean,
): boolean {
  if (current === undefined) return false
  if (field.trim() === '*') return true
  const { etag } = current
  // What nearly every client sends: the very tag it was given.
  if (field === etag && equal(field, etag)) return true
  return etag !== undefined && entityTags(field).some((tag) => equal(tag, etag))
}

/** The members of a list of entity-tags (RFC 9110 §8.8.3); what is not one is passed over. */
export function entityTags(field: string): string[] {
  return field.match(/(?<![^\s,])(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"(?![^\s,])/gu) ?? []
}

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
const weaklyEqual = (a: string, b: string): boolean => opaque(a) === opaque(b)
const stronglyEqual = (a: string, b: string): boolean => a === b && !a.startsWith('W/')
