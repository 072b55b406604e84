/** Why a request went forward (RFC 9211 §2.2). */
export type ForwardReason =
  'bypass' | 'method' | 'uri-miss' | 'vary-miss' | 'miss' | 'request' | 'stale' | 'partial'

/** What a cache did with one request, as RFC 9211 tells it. */
export interface CacheStatus {
  readonly hit?: boolean
  readonly fwd?: ForwardReason
  readonly fwdStatus?: number
  readonly stored?: boolean
  readonly collapsed?: boolean
  /** Seconds of freshness left; negative once stale. */
  readonly ttl?: number
  readonly key?: string
  readonly detail?: string
}

/** The list member of the cache called `name`, which must be a token. */
export function cacheStatusMember(name: string, status: CacheStatus): string {
  let member = name
  if (status.hit === true) member += '; hit'
  if (status.fwd !== undefined) member += `; fwd=${status.fwd}`
  if (status.fwdStatus !== undefined) member += `; fwd-status=${status.fwdStatus}`
  return member + outcome(status) + remarks(status)
}

function outcome({ ttl, stored, collapsed }: CacheStatus): string {
  const freshness = ttl === undefined ? '' : `; ttl=${ttl}`
  return freshness + (stored === true ? '; stored' : '') + (collapsed === true ? '; collapsed' : '')
}

const remarks = ({ key, detail }: CacheStatus): string =>
  (key === undefined ? '' : `; key=${quoted(key)}`) +
  (detail === undefined ? '' : `; detail=${quoted(detail)}`)

/** A structured string holds visible ASCII and blanks alone; the rest is percent-encoded. */
const quoted = (text: string): string =>
  `"${text
    .toWellFormed()
    .replaceAll(/[^\u0020-\u007e]/gu, encodeURIComponent)
    .replaceAll(/["\\]/gu, '\\$&')}"`
