import type { EmbeddedMetadata } from '../../../ports/media/embedded-metadata.ts'
import type { EmbeddedMember, EmbeddedSource } from '../../../ports/records/asset-metadata.ts'
import type { Phrase, Words } from './words.ts'

export interface SourcedWords {
  readonly source: EmbeddedSource
  readonly words: Words
}

const maxLengths = { title: 300, alt: 1000, description: 5000, tag: 64, copyright: 500, url: 500 }
const maxLanguages = 30
const maxTags = 50
const anyLanguage = 'x-default'

/** Of each member what the first source says that says something. */
export function mergedWords(sources: readonly SourcedWords[]): EmbeddedMetadata {
  const found: Record<string, unknown> = {}
  const from: Partial<Record<EmbeddedMember, EmbeddedSource>> = {}
  for (const [member, read] of readers) {
    for (const { source, words } of sources.toReversed()) {
      const value = read(words[member])
      if (value === undefined) continue
      found[member] = value
      from[member] = source
    }
  }
  return { ...found, sources: from }
}

type Reader = (phrases: readonly Phrase[]) => unknown

/** One of several languages: the one for all, else the first. */
const oneOf =
  (maxLength: number, isLong = false): Reader =>
  (phrases) => {
    const chosen = phrases.find(({ language }) => language === anyLanguage) ?? phrases[0]
    return cleaned(chosen?.text ?? '', maxLength, isLong) || undefined
  }

const readers: readonly (readonly [EmbeddedMember, Reader])[] = [
  ['title', oneOf(maxLengths.title)],
  ['alt', byLanguage],
  ['description', oneOf(maxLengths.description, true)],
  ['tags', tagsOf],
  ['copyright', oneOf(maxLengths.copyright)],
  ['licence', oneOf(maxLengths.url)],
]

/** The alternative for all is left out where it is that of a language. */
function byLanguage(phrases: readonly Phrase[]): Readonly<Record<string, string>> | undefined {
  const textByLanguage = new Map<string, string>()
  const add = (language: string | undefined, text: string): void => {
    if (language === undefined || text === '' || textByLanguage.has(language)) return
    if (textByLanguage.size < maxLanguages) textByLanguage.set(language, text)
  }
  for (const { text, language } of phrases)
    if (!isForAll(language)) add(canonical(language), cleaned(text, maxLengths.alt))
  const forAll = phrases.find(({ language }) => isForAll(language))
  const text = cleaned(forAll?.text ?? '', maxLengths.alt)
  if (![...textByLanguage.values()].includes(text)) add('und', text)
  return textByLanguage.size === 0 ? undefined : Object.fromEntries(textByLanguage)
}

const isForAll = (language: string | undefined): boolean =>
  language === undefined || language === anyLanguage

/** As BCP 47 spells it; `undefined` where it is no language. */
function canonical(language = ''): string | undefined {
  try {
    return Intl.getCanonicalLocales(language.slice(0, 35))[0]
  } catch {
    return undefined
  }
}

function tagsOf(phrases: readonly Phrase[]): readonly string[] | undefined {
  const tags = new Set(
    phrases
      .map(({ text }) =>
        cleaned(text, maxLengths.tag)
          .toLowerCase()
          .replaceAll(/[\s,]+/gu, '-'),
      )
      .filter(Boolean),
  )
  return tags.size === 0 ? undefined : [...tags].slice(0, maxTags).toSorted(byCodeUnits)
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1)

/** What can be seen of a text; of a long one lines stay lines. */
function cleaned(text: string, maxLength: number, isLong = false): string {
  const start = text.slice(0, 4 * maxLength).toWellFormed()
  const lines = isLong ? start.replaceAll(/\r\n?/gu, '\n').split('\n') : [start]
  const visible = lines.map((line) => line.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim()).join('\n')
  return Array.from(visible.trim()).slice(0, maxLength).join('').trim().normalize('NFC')
}
