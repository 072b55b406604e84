import { isHarmless, sandboxPolicy } from '../../../../lib/text/media-types.ts'
import type { FieldList } from './header-rules.ts'

/**
 * Fields that hold for more than the response that brings them: for the whole origin, or for what else
 * is at the host name. On a host name of the service's own that is the dashboard too, and every other
 * zone, so no rule sets them there.
 */
const originFields: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'expect-ct',
  'nel',
  'public-key-pins',
  'report-to',
  'secure-session-registration',
  'sec-session-registration',
  'service-worker-allowed',
  'set-login',
  'strict-transport-security',
  'use-as-dictionary',
])

/** Fields that rules may add to there, but neither replace nor take away. */
const keptFields: ReadonlySet<string> = new Set([
  'content-security-policy',
  'x-content-type-options',
])

/**
 * Fields that would reach other zones at the same host name: browsers keep them for all of it. Of those
 * for the whole origin nobody's rules are sent there; these, rules of all zones may set.
 */
const sharedHostFields: ReadonlySet<string> = new Set(['accept-ch', 'critical-ch', 'set-cookie'])

/** Whether a zone's own rules cannot set a field on a host name of the service's own. */
export const isWithheldFromZones = (name: string): boolean =>
  originFields.has(name) || sharedHostFields.has(name)

/** What an operator is signed in by. */
const sessionCookieName = 'cdn_session'

/**
 * The fields of a response on a host name of the service's own, after rules: whatever they say, nothing
 * that may act is sent without its sandbox, and nothing reaches beyond the response. Of several policies
 * each is enforced, so a rule's own can only make it stricter (CSP3 §3.1).
 */
export function guardedOnOwnHost(fields: FieldList): FieldList {
  const kept = withoutOriginFields(fields).filter(([name]) => !keptFields.has(name))
  const policies = [
    ...(isHarmless(valuesOf(fields, 'content-type').join(', ')) ? [] : [sandboxPolicy]),
    ...valuesOf(fields, 'content-security-policy').filter((policy) => policy !== sandboxPolicy),
  ]
  return [
    ...kept,
    ['x-content-type-options', 'nosniff'],
    ...(policies.length === 0 ? [] : ([['content-security-policy', policies.join(', ')]] as const)),
  ]
}

/** What a line of a block cannot do on a host name of the service's own; `undefined` where it does all. */
export function withheldOnOwnHost(name: string, value: string | undefined): string | undefined {
  if (originFields.has(name) || isSessionCookie(name, value))
    return value === undefined ? undefined : 'is not sent there'
  if (!keptFields.has(name)) return undefined
  return value === undefined ? 'is not taken away there' : 'is only added to there'
}

/** What is left there of fields that rules set. */
export const withoutOriginFields = (fields: FieldList): FieldList =>
  fields.filter(([name, value]) => !originFields.has(name) && !isSessionCookie(name, value))

/** A cookie without a name is sent as its value alone, which may look like any other (RFC 6265bis §5.7). */
function isSessionCookie(name: string, value: string | undefined): boolean {
  if (name !== 'set-cookie' || value === undefined) return false
  const pair = value.split(';', 1)[0] ?? ''
  const cookieName = pair.includes('=') ? (pair.split('=', 1)[0] ?? '').trim() : ''
  return cookieName === '' || cookieName === sessionCookieName
}

const valuesOf = (fields: FieldList, wanted: string): readonly string[] =>
  fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []))
