import { readDictionary, type DictionaryValue } from '../../../lib/text/structured-fields.ts'

/** `true`, or only the named fields (`no-cache="set-cookie"`), in lower case. */
export type Qualified = boolean | readonly string[]

/** Directives of a response (RFC 9111 §5.2.2, RFC 5861). Seconds; a value that is no number counts as 0. */
export interface ResponseDirectives {
  readonly noStore: boolean
  readonly noCache: Qualified
  readonly private: Qualified
  readonly public: boolean
  readonly mustRevalidate: boolean
  readonly proxyRevalidate: boolean
  readonly mustUnderstand: boolean
  readonly maxAge: number | undefined
  readonly sMaxAge: number | undefined
  readonly staleWhileRevalidate: number | undefined
  readonly staleIfError: number | undefined
}

/** Directives of a request (RFC 9111 §5.2.1). */
export interface RequestDirectives {
  readonly noStore: boolean
  readonly noCache: boolean
  readonly onlyIfCached: boolean
  readonly maxAge: number | undefined
  readonly minFresh: number | undefined
  /** `Infinity` for `max-stale` without a value. */
  readonly maxStale: number | undefined
  readonly staleIfError: number | undefined
}

type Members = ReadonlyMap<string, DictionaryValue>

/** RFC 9111 §1.2.2: larger values mean "for ever". */
const maxDeltaSeconds = 2 ** 31

export const noRequestDirectives: RequestDirectives = {
  noStore: false,
  noCache: false,
  onlyIfCached: false,
  maxAge: undefined,
  minFresh: undefined,
  maxStale: undefined,
  staleIfError: undefined,
}

/**
 * What Cache-Control asks of this cache. A targeted field that is there, parses and is not empty
 * replaces it whole, the first of `targetedFields` winning (RFC 9213 §2.2); `isTargeted` says so, for
 * Expires is then out of play as well.
 */
export function readResponseDirectives(
  headers: Headers,
  targetedFields: readonly string[],
): ResponseDirectives & { readonly isTargeted: boolean } {
  for (const name of targetedFields) {
    const members = readTargeted(headers.get(name))
    if (members !== undefined) return { ...responseDirectives(members), isTargeted: true }
  }
  const members = readMembers(headers.get('cache-control') ?? '')
  return { ...responseDirectives(members), isTargeted: false }
}

/** Pragma counts only where Cache-Control is missing (RFC 9111 §5.4). */
export function readRequestDirectives(headers: Headers): RequestDirectives {
  const field = headers.get('cache-control')
  if (field === null) {
    const pragma = headers.get('pragma')
    if (pragma === null) return noRequestDirectives
    return { ...noRequestDirectives, noCache: readMembers(pragma).has('no-cache') }
  }
  const members = readMembers(field)
  return {
    noStore: members.has('no-store'),
    noCache: members.has('no-cache'),
    onlyIfCached: members.has('only-if-cached'),
    maxAge: seconds(members, 'max-age'),
    minFresh: seconds(members, 'min-fresh'),
    maxStale: members.get('max-stale') === true ? Infinity : seconds(members, 'max-stale'),
    staleIfError: seconds(members, 'stale-if-error'),
  }
}

function responseDirectives(members: Members): ResponseDirectives {
  return {
    noStore: members.has('no-store'),
    noCache: qualified(members, 'no-cache'),
    private: qualified(members, 'private'),
    public: members.has('public'),
    mustRevalidate: members.has('must-revalidate'),
    proxyRevalidate: members.has('proxy-revalidate'),
    mustUnderstand: members.has('must-understand'),
    maxAge: seconds(members, 'max-age'),
    sMaxAge: seconds(members, 's-maxage'),
    staleWhileRevalidate: seconds(members, 'stale-while-revalidate'),
    staleIfError: seconds(members, 'stale-if-error'),
  }
}

/** A member that is off (`no-store=?0`) is as good as absent. */
function readTargeted(field: string | null): Members | undefined {
  const members = field === null ? undefined : readDictionary(field)
  if (members === undefined || members.size === 0 || !hasNumericAges(members)) return undefined
  return new Map([...members].filter(([, value]) => value !== false))
}

/** A lifetime of the wrong type makes the field invalid for its purpose, and so absent. */
const hasNumericAges = (members: Members): boolean =>
  ['max-age', 's-maxage'].every((name) => {
    const value = members.get(name)
    return !members.has(name) || (Number.isInteger(value) && Number(value) >= 0)
  })

/**
 * Cache-Control is read leniently: names without regard to case, values as tokens or quoted strings,
 * and of a directive that comes twice the first one (RFC 9111 §4.2.1).
 */
function readMembers(field: string): Members {
  const members = new Map<string, DictionaryValue>()
  const directive =
    /(?<name>[^\s,=";]+)(?:=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^,]*)))?[^,]*/gu
  for (const { groups } of field.matchAll(directive)) {
    const { name = '', quoted, token } = groups ?? {}
    const key = name.toLowerCase()
    if (!members.has(key)) members.set(key, quoted ?? token?.trim() ?? true)
  }
  return members
}

function seconds(members: Members, name: string): number | undefined {
  if (!members.has(name)) return undefined
  const value = members.get(name)
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d+$/u.test(text)) return 0
  return Math.min(Number(text), maxDeltaSeconds)
}

function qualified(members: Members, name: string): Qualified {
  const value = members.get(name)
  if (typeof value !== 'string') return members.has(name)
  const fields = value.toLowerCase().split(/[\s,]+/u)
  return fields.filter((field) => field !== '')
}
