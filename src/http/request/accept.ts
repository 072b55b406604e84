/** One member of a field like Accept: what it names, in lower case without parameters, and how much. */
export interface Preference {
  readonly name: string
  /** 0 (never) to 1. */
  readonly quality: number
}

/** How a media type came to be accepted; a wildcard says nothing about whether a client knows it. */
export type MatchedBy = 'name' | 'type-wildcard' | 'wildcard' | 'absence'

export interface MediaTypeMatch {
  readonly quality: number
  readonly by: MatchedBy
}

/** The members of a quality list (RFC 9110 §12.4.2). A member with a bad `q` is passed over. */
export function parsePreferences(field: string): Preference[] {
  const preferences: Preference[] = []
  for (const member of splitOutsideQuotes(field, ',')) {
    const [name = '', ...parameters] = splitOutsideQuotes(member, ';').map((part) => part.trim())
    const quality = qualityOf(parameters)
    if (name !== '' && quality !== undefined)
      preferences.push({ name: name.toLowerCase(), quality })
  }
  return preferences
}

function qualityOf(parameters: readonly string[]): number | undefined {
  const weight = parameters.find((parameter) => /^q\s*=/iu.test(parameter))
  if (weight === undefined) return 1
  const value = weight.slice(weight.indexOf('=') + 1).trim()
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/u.test(value) ? Number(value) : undefined
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  return (
    text.match(
      separator === ',' ? /(?:"(?:[^"\\]|\\.)*"?|[^",])+/gu : /(?:"(?:[^"\\]|\\.)*"?|[^";])+/gu,
    ) ?? []
  )
}

/**
 * How well `mediaType` suits an Accept field: the most specific member that covers it decides
 * (RFC 9110 §12.5.1). A client that sends no Accept takes everything; `quality` 0 means never.
 */
export function matchMediaType(accept: string | null, mediaType: string): MediaTypeMatch {
  if (accept === null || accept.trim() === '') return { quality: 1, by: 'absence' }
  const preferences = parsePreferences(accept)
  const [type] = mediaType.split('/')
  const byName = [
    [mediaType, 'name'],
    [`${type}/*`, 'type-wildcard'],
    ['*/*', 'wildcard'],
  ] as const
  for (const [name, by] of byName) {
    const found = preferences.find((preference) => preference.name === name)
    if (found !== undefined) return { quality: found.quality, by }
  }
  return { quality: 0, by: 'absence' }
}

/** The best of `offered` (in the server's order of preference), or `undefined` where none will do. */
export function preferredMediaType<T extends string>(
  accept: string | null,
  offered: readonly T[],
): T | undefined {
  return best(offered, (mediaType) => matchMediaType(accept, mediaType).quality)
}

/**
 * The content coding to send (RFC 9110 §12.5.3): the best of `offered`, which is in the server's order
 * of preference and does not name `identity`; `identity` where the client wants none of them; and
 * `undefined` where it refuses even that.
 */
export function preferredEncoding<T extends string>(
  acceptEncoding: string | null,
  offered: readonly T[],
): T | 'identity' | undefined {
  if (acceptEncoding === null) return 'identity'
  const qualities = new Map<string, number>()
  for (const { name, quality } of parsePreferences(acceptEncoding))
    qualities.set(codingAliases[name] ?? name, quality)
  const others = qualities.get('*')
  const qualityOfCoding = (coding: string) => qualities.get(coding) ?? others ?? 0
  // Not named at all, identity is acceptable but the last choice.
  const identity = qualities.get('identity') ?? others ?? Number.MIN_VALUE
  const chosen = best(offered, qualityOfCoding)
  const isNamed = qualities.has('identity')
  if (chosen !== undefined && (!isNamed || qualityOfCoding(chosen) >= identity)) return chosen
  return identity > 0 ? 'identity' : undefined
}

/**
 * The best of `offered`, primary subtags of languages in the server's order of preference, for a field of language
 * ranges (RFC 9110 §12.5.4), or `undefined` where it names none. A region is passed over: `de-AT` is `de`.
 */
export function preferredLanguage<T extends string>(
  acceptLanguage: string | null,
  offered: readonly T[],
): T | undefined {
  const preferences = parsePreferences(acceptLanguage?.slice(0, maxLanguagesLength) ?? '')
  return best(offered, (language) =>
    Math.max(
      0,
      ...preferences
        .filter(({ name }) => name === language || name.startsWith(`${language}-`))
        .map(({ quality }) => quality),
    ),
  )
}

/** Browsers send a few dozen characters. */
const maxLanguagesLength = 500

const codingAliases: Readonly<Record<string, string>> = {
  'x-gzip': 'gzip',
  'x-compress': 'compress',
}

function best<T>(offered: readonly T[], quality: (item: T) => number): T | undefined {
  let winner: T | undefined
  let highest = 0
  for (const item of offered) {
    const own = quality(item)
    if (own <= highest) continue
    winner = item
    highest = own
  }
  return winner
}
