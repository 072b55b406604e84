import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { Sighting } from '../../ports/records/vision/sighting.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Documents } from './documents.ts'
import { isLinkingWord } from './name-matches.ts'
import { doubtful, type Match } from './score.ts'
import { imageWords, sightingWords, writtenWords } from './words/index-text.ts'
import { stemOf, wordsOf } from './words/words.ts'

/** What about an asset is like a question: what persons say, what is in the file, what a model sees, or its meaning. */
export const grounds = [
  'name',
  'title',
  'alt',
  'tags',
  'description',
  'fields',
  'text',
  'vision',
  'image',
  'synonym',
  'meaning',
] as const
export type Ground = (typeof grounds)[number]

/** What is known of the bytes of an asset. */
export interface KnownOfBytes {
  readonly facts: MediaFacts | undefined
  readonly sighting: Sighting | undefined
}

interface FoundRow extends KnownOfBytes {
  readonly asset: AssetRecord
  readonly row: number
  readonly match: Match
}

/** Words as like as this are taken for the same one, misspelt. */
const alikeEnough = 0.6

/** Says by what a row was found; `meaning` is always said where nothing else is. */
export function createFoundBy(
  index: Documents,
  words: readonly string[],
): (found: FoundRow) => readonly Ground[] {
  const telling = words.filter((word) => !isLinkingWord(word))
  const looked = telling.length === 0 ? words : telling
  const stems = new Set(looked.flatMap((word) => likeWords(index, word)).map(stemOf))
  const hasOne = (texts: readonly string[]): boolean =>
    texts.some((word) => stems.has(stemOf(word)))

  return (found) => {
    const named = Object.entries(textsOf(found))
      .filter(([, texts]) => hasOne(texts()))
      .map(([ground]) => ground as Ground)
    const isCalled = looked.some((word) => index.rowsCalled(word).includes(found.row))
    if (isCalled && !named.some((ground) => calledGrounds.has(ground))) named.push('synonym')
    const isMeant = (found.match.cosine ?? 0) >= doubtful.cosine
    return isMeant || named.length === 0 ? [...named, 'meaning'] : named
  }
}

/** Whatever is also called so for one of these was found by that. */
const calledGrounds: ReadonlySet<Ground> = new Set(['text', 'vision'])

const likeWords = (index: Documents, word: string): readonly string[] => [
  word,
  ...index.vocabulary
    .similar(word)
    .filter(({ similarity }) => similarity >= alikeEnough)
    .map(({ id }) => index.vocabulary.wordAt(id)),
]

type Texts = () => readonly string[]

const textsOf = ({
  asset,
  facts,
  sighting,
}: FoundRow): Readonly<Partial<Record<Ground, Texts>>> => {
  const { title = '', alt = {}, tags = [], description = '', custom = {} } = asset.metadata ?? {}
  return {
    name: () => wordsOf(asset.path),
    title: () => wordsOf(title),
    alt: () => Object.values(alt).flatMap(wordsOf),
    tags: () => tags.flatMap(wordsOf),
    description: () => wordsOf(description),
    fields: () =>
      Object.values(custom).flatMap((value) => wordsOf(JSON.stringify(value).slice(0, 200))),
    text: () => (facts === undefined ? [] : writtenWords(facts)),
    vision: () => (sighting === undefined ? [] : sightingWords(sighting)),
    image: () => (facts === undefined ? [] : imageWords(facts)),
  }
}
