import type { Sighting } from '../../../ports/records/vision/sighting.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import { visibleText } from '../../../lib/text/visible-text.ts'
import type { AssetMetadata, JsonValue } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { firstWordsOf, wordsOf } from './words.ts'

export type Named = Pick<AssetRecord, 'path' | 'name' | 'zone' | 'category' | 'format' | 'metadata'>

/** What else an icon of this name is called. */
export type SynonymsOf = (name: string) => string | undefined

const wordsByCategory: Readonly<Record<string, string>> = {
  general: '',
  titles: 'title heading',
  github: 'github social card repository image',
}

/** The file's name without its format, as words. */
export const stemWords = ({ name, format }: Pick<Named, 'name' | 'format'>): string[] =>
  wordsOf(format === '' ? name : name.slice(0, -format.length - 1))

const categoryWords = (category: string): string =>
  wordsByCategory[category] ?? wordsOf(category).join(' ').replace(/s$/u, '')

/** Of what is written in an image so much says what it means. */
const maxWrittenLength = 120

/** What is known of the bytes: what is written in it, and what a model sees. */
interface Looked {
  readonly written?: string | undefined
  readonly sighting?: Sighting | undefined
}

/** What an asset means, as texts to be embedded one by one. */
export function meaningTexts(
  asset: Named,
  synonymsOf: SynonymsOf,
  { written = '', sighting }: Looked = {},
): readonly string[] {
  const stem = stemWords(asset).join(' ')
  const folders = wordsOf(asset.path.split('/').slice(3, -1).join(' ')).join(' ')
  const plain = [stem, folders, categoryWords(asset.category)].filter(Boolean).join(' ')
  const texts = [plain]
  const synonyms = isIcon(asset) ? synonymsFor(stem, synonymsOf) : undefined
  if (synonyms !== undefined) texts.push(`${stem} icon: ${synonyms}`)
  if (written !== '') texts.push(`${stem}: ${written.slice(0, maxWrittenLength)}`)
  if (sighting !== undefined) texts.push(...sightingTexts(sighting))
  const described = descriptionOf(asset.metadata)
  // What somebody wrote of it says more than what its file is called.
  if (described !== '') texts.push(described, described)
  return texts
}

/** The words that an icon is also called by. */
export function otherNames(asset: Named, synonymsOf: SynonymsOf): readonly string[] {
  if (!isIcon(asset)) return []
  const stem = stemWords(asset).join(' ')
  const own = new Set(stem.split(' '))
  const synonyms = synonymsFor(stem, synonymsOf) ?? ''
  return synonyms
    .split(',')
    .flatMap(wordsOf)
    .filter((word) => !own.has(word))
}

/** `trash 2` is another SVG of `trash`, and `badge euro` shows a badge and a euro. */
const synonymsFor = (stem: string, synonymsOf: SynonymsOf): string | undefined =>
  synonymsOf(stem.replaceAll(' ', '-')) ??
  synonymsOf(stem.replace(/ \d+$/u, '').replaceAll(' ', '-')) ??
  partSynonyms(stem.split(' '), synonymsOf)

/** As many as a name of its own would have. */
const maxSynonyms = 8

/** What the longest parts of a name are called, each as much. */
function partSynonyms(words: readonly string[], synonymsOf: SynonymsOf): string | undefined {
  for (let length = words.length - 1; length > 0; length -= 1) {
    const parts = Array.from({ length: words.length - length + 1 }, (_, start) =>
      words.slice(start, start + length).join('-'),
    )
    const found = parts.flatMap((part) => synonymsOf(part) ?? [])
    const share = Math.floor(maxSynonyms / found.length)
    if (found.length > 0)
      return found.flatMap((text) => text.split(', ').slice(0, share)).join(', ')
  }
  return undefined
}

/** Synonyms of icons help icons; for other images they are noise. */
const isIcon = ({ category, format }: Named): boolean =>
  category.includes('icon') || format === 'svg'

/** The words by which an asset is found by name, the name's own first. */
export const nameWords = (asset: Named): readonly string[] => [
  ...new Set([
    ...stemWords(asset),
    ...wordsOf(asset.path.split('/').slice(2).join(' ')),
    ...wordsOf(asset.zone),
    ...wordsOf(asset.category),
    ...metadataWords(asset.metadata),
  ]),
]

/** Of what is known of an asset so much says what it means. */
const maxDescriptionLength = 600
const maxMetadataWords = 150
const maxCustomLength = 200

/** What persons, and the file itself, say of it, the most telling first. */
function textsIn(metadata: AssetMetadata): readonly string[] {
  const { title = '', alt = {}, description = '', tags = [], custom = {} } = metadata
  const own = Object.values(custom)
    .flatMap(textsOfValue)
    .map((text) => text.slice(0, maxCustomLength))
  const tagTexts = tags.map((tag) => tag.replaceAll('-', ' '))
  return [title, ...Object.values(alt), tagTexts.join(', '), description, own.join(', ')]
}

/** Numbers and switches say nothing to look for. */
const textsOfValue = (value: JsonValue): readonly string[] =>
  [value].flat().filter((each) => typeof each === 'string')

const descriptionOf = (metadata: AssetMetadata | undefined): string =>
  metadata === undefined
    ? ''
    : visibleText(textsIn(metadata).filter(Boolean).join('. '), maxDescriptionLength)

const metadataWords = (metadata: AssetMetadata | undefined): readonly string[] =>
  metadata === undefined
    ? []
    : firstWordsOf(
        textsIn(metadata)
          .join(' ')
          .slice(0, 4 * 2 ** 10),
        maxMetadataWords,
      )

/** The words of what is written in an image, or on the first pages of a document. */
export const writtenWords = ({ text = '', header }: MediaFacts): readonly string[] =>
  firstWordsOf(text, header.still === undefined ? maxWrittenWords : maxPageWords).filter(
    (word) => word.length > 1,
  )

const maxWrittenWords = 80
const maxPageWords = 400

/** The words of what a model sees in an image, in whatever language. */
export const sightingWords = ({ alt, tags, text }: Sighting): readonly string[] =>
  firstWordsOf([...Object.values(alt), ...tags, text].join(' '), maxSightingWords).filter(
    (word) => word.length > 1,
  )

const maxSightingWords = 200

/** The model that embeds knows English best. */
function sightingTexts({ alt, tags }: Sighting): readonly string[] {
  const said = alt['en'] ?? Object.values(alt)[0] ?? ''
  const text = [said, tags.map((tag) => tag.replaceAll('-', ' ')).join(', ')]
  return [text.filter(Boolean).join('. ')].filter(Boolean)
}

/** What the image itself says, once it has been looked at: its colours, its shape, whether one sees through it. */
export function imageWords({
  header,
  analysis,
  summary = analysis,
}: MediaFacts): readonly string[] {
  if (summary === undefined) return []
  // Nobody looks for a white document.
  if (header.still !== undefined && sheets.has(header.still.of)) return []
  const words = [shapeOf(header.width / header.height)]
  if (header.hasAlpha) words.push('transparent')
  if (header.frames > 1) words.push('animated')
  return [...words, ...colourWords(summary)]
}

const sheets: ReadonlySet<string> = new Set(['pdf', 'font'])

const colourWords = ({ colors }: ImageSummary): string[] =>
  colors.filter(({ share }) => share > 0.08).flatMap(({ name }) => wordsOf(name))

const shapeOf = (ratio: number): string => {
  if (ratio > 2.2) return 'wide'
  if (ratio > 1.1) return 'landscape'
  return ratio < 0.9 ? 'portrait' : 'square'
}
