import { readMoment } from '../../../lib/text/moments.ts'
import type { AssetMetadata, JsonValue } from '../../../ports/records/asset-metadata.ts'
import { canonicalJson } from '../../../lib/text/canonical-json.ts'
import { invalid } from '../../errors.ts'

/** How much may be known of an asset. Characters are UTF-16 code units. */
export const metadataLimits = {
  titleLength: 500,
  descriptionLength: 5_000,
  altLength: 1_000,
  languages: 50,
  tags: 100,
  tagLength: 64,
  copyrightLength: 1_000,
  licenceLength: 500,
  customMembers: 64,
  customNameLength: 64,
  customBytes: 8 * 2 ** 10,
  customDepth: 8,
} as const

/** C0 but for line ends and tabs, DEL, C1, and the characters that reorder what stands after them. */
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufeff]/u
const lineEnds = /\r\n?/gu
const primaryLanguage = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/u

/** A text that says something, in NFC and without blanks around it. `target` names it in refusals. */
export function textOf(value: unknown, maxLength: number, target: string): string {
  const text = anyTextOf(value, maxLength, target)
  if (text === '') throw invalid(target, 'must not be empty; null takes it away')
  return text
}

function anyTextOf(value: unknown, maxLength: number, target: string): string {
  if (typeof value !== 'string') throw invalid(target, 'must be a text')
  if (value.length > maxLength) throw invalid(target, `must have at most ${maxLength} characters`)
  const text = value.replace(lineEnds, '\n').trim().normalize('NFC')
  if (!text.isWellFormed()) throw invalid(target, 'must be well-formed Unicode')
  if (unwanted.test(text)) throw invalid(target, 'must not have control characters')
  if (text.length > maxLength) throw invalid(target, `must have at most ${maxLength} characters`)
  return text
}

/** A language tag (BCP 47) in its canonical form. */
export function languageOf(tag: string, target: string): string {
  if (tag.length > 35 || !primaryLanguage.test(tag)) throw notLanguage(tag, target)
  try {
    const [canonical = tag] = Intl.getCanonicalLocales(tag)
    return canonical
  } catch (cause) {
    throw notLanguage(tag, target, cause)
  }
}

const notLanguage = (tag: string, target: string, cause?: unknown) =>
  invalid(target, `has "${tag.slice(0, 35)}", which is no language tag (BCP 47)`, cause)

/** An empty one says that the image says nothing. */
export const altOf = (value: unknown, target: string): string =>
  anyTextOf(value, metadataLimits.altLength, target)

export function requireLanguages(count: number, target: string): void {
  if (count > metadataLimits.languages)
    throw invalid(target, `must have at most ${metadataLimits.languages} languages`)
}

/** In lower case, with `-` for blanks. */
function tagOf(value: unknown, target: string): string {
  const text = textOf(value, metadataLimits.tagLength, target)
  const tag = text.toLowerCase().replace(/[\s,]+/gu, '-')
  if (tag.length > metadataLimits.tagLength)
    throw invalid(target, `must have at most ${metadataLimits.tagLength} characters`)
  return tag
}

/** Each once, in order. */
export function tagsOf(value: unknown, target: string): readonly string[] {
  if (!Array.isArray(value)) throw invalid(target, 'must be a list of texts')
  // Many times the same tag is one; a list without end is none.
  if (value.length > 10 * metadataLimits.tags) throw tooManyTags(target)
  const tags = [...new Set(value.map((each) => tagOf(each, target)))].toSorted(byUnits)
  if (tags.length > metadataLimits.tags) throw tooManyTags(target)
  return tags
}

const tooManyTags = (target: string) =>
  invalid(target, `must have at most ${metadataLimits.tags} tags`)

export const byUnits = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1

export function momentOf(value: unknown, target: string): Date {
  const at = typeof value === 'string' ? readMoment(value) : undefined
  if (at !== undefined) return at
  throw invalid(
    target,
    'must be a date that there is, with time and offset (RFC 3339), e.g. 2027-01-31T00:00:00Z',
  )
}

export function pointOf(
  value: unknown,
  target: string,
): { readonly x: number; readonly y: number } {
  const { x, y } = membersOf(value, target)
  if (!isShare(x) || !isShare(y)) throw invalid(target, 'must have x and y from 0 to 1')
  return { x, y }
}

const isShare = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1

export function membersOf(value: unknown, target: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw invalid(target, 'must be an object')
}

/** The zone's own fields, within their bounds; whether they are what the zone wants is asked elsewhere. */
export function customOf(
  members: Readonly<Record<string, unknown>>,
  target: string,
): Readonly<Record<string, JsonValue>> {
  const names = Object.keys(members)
  const { customMembers, customNameLength, customBytes, customDepth } = metadataLimits
  if (names.length > customMembers)
    throw invalid(target, `must have at most ${customMembers} members`)
  for (const name of names)
    if (textOf(name, customNameLength, `${target} member name`) !== name)
      throw invalid(target, `must not have blanks around the name "${name}"`)
  requireDepth(members, customDepth, target)
  const text = canonicalJson(members)
  if (Buffer.byteLength(text) > customBytes)
    throw invalid(target, `must have at most ${customBytes} bytes of JSON`)
  if (!text.isWellFormed()) throw invalid(target, 'must be well-formed Unicode')
  return JSON.parse(text) as Readonly<Record<string, JsonValue>>
}

/** Asked before anything else goes through a value that somebody else has made. */
export function requireDepth(value: unknown, depth: number, target: string): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) throw invalid(target, 'is nested too deeply')
  for (const member of Object.values(value)) requireDepth(member, depth - 1, target)
}

/** Without what says nothing: an empty list of tags is none. */
export function compact(metadata: AssetMetadata): AssetMetadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => !isNothing(value)),
  ) as AssetMetadata
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    Object.keys(value).length === 0)

export const isNothingKnown = (metadata: AssetMetadata): boolean =>
  Object.keys(metadata).length === 0
