import { parsePreferences } from '../../../http/request/accept.ts'
import { rememberRecent } from '../../../lib/collections/lru-cache.ts'

/** The request fields a response was selected by, with the values that its request had. */
export type VaryValues = readonly (readonly [name: string, value: string])[]

/** Answers that vary by more are as good as different for everybody. */
const maxNames = 16

/** For a field that the request did not send. No field value holds a NUL. */
const absent = '\0'

/** The names in Vary in lower case, or `undefined` for `*` and for lists too long to be of use. */
export function varyNamesOf(headers: Headers): readonly string[] | undefined {
  const field = headers.get('vary')
  if (field === null) return []
  const listed = field.split(',').map((name) => name.trim().toLowerCase())
  const names = [...new Set(listed)].filter((name) => name !== '').sort()
  return names.includes('*') || names.length > maxNames ? undefined : names
}

export const varyValuesOf = (names: readonly string[], request: Headers): VaryValues =>
  names.map((name) => [name, varyValue(name, request)])

/** Whether a response selected by `values` is also the one for `request` (RFC 9111 §4.1). */
export function matchesVary(values: VaryValues, request: Headers): boolean {
  for (const [name, value] of values) if (varyValue(name, request) !== value) return false
  return true
}

export const variantIdOf = (values: VaryValues): string =>
  values.map(([name, value]) => `${name}:${value}`).join('\n')

/**
 * The value in a form that is the same for spellings that mean the same: quality lists without blanks,
 * in lower case and in order of name; other fields without blanks around their commas.
 */
function varyValue(name: string, request: Headers): string {
  const value = request.get(name)
  if (value === null) return absent
  const normalize = normalizerOf(name)
  return value.length > maxRememberedLength ? normalize.compute(value) : normalize.recent(value)
}

/** Browsers send few different values, again and again. */
const maxRemembered = 512
const maxRememberedLength = 512

const remembering = (compute: (value: string) => string) => ({
  compute,
  recent: rememberRecent(compute, maxRemembered),
})

/** Blanks inside a quoted string are part of the value. */
const squeeze = (value: string): string =>
  /[\s,]/u.test(value) && !value.includes('"')
    ? value
        .trim()
        .replaceAll(/(?<!\s)\s*,\s*/gu, ',')
        .replaceAll(/\s+/gu, ' ')
    : value

const squeezed = remembering(squeeze)
const lowered = remembering((value) => squeeze(value.toLowerCase()))

const plainCodings =
  /^\s*[\w*-]+\s*(?:;\s*q=[01](?:\.\d{0,3})?\s*)?(?:,\s*[\w*-]+\s*(?:;\s*q=[01](?:\.\d{0,3})?\s*)?)*$/iu

/**
 * Codings carry no parameters but their weight, so that their order has no meaning. Whatever is not
 * plainly such a list stays as it is: an origin might read it otherwise than we do.
 */
function normalizeCodings(value: string): string {
  if (!plainCodings.test(value)) return value
  return parsePreferences(value)
    .map(({ name, quality }) => (quality === 1 ? name : `${name};q=${quality}`))
    .sort()
    .join(',')
}

const codings = remembering(normalizeCodings)

function normalizerOf(name: string): typeof squeezed {
  if (name === 'accept-encoding') return codings
  return name === 'accept' || name === 'accept-language' ? lowered : squeezed
}
