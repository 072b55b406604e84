import type { Documents } from './documents.ts'
import { lettersOf } from './words/words.ts'

/** How much of a question, by weight, the names of rows cover: 0 to 1. */
export interface NameMatches {
  /** The rows that have some word like one of the question's, each once. */
  readonly rows: readonly number[]
  coverageOf(row: number): number
  /** Whether some word of the question looks like a word of a name. */
  readonly isAnyKnown: boolean
}

/**
 * So many entries of the lists of rows are looked at for a question; the rarest words' come first, and
 * a word that most names have says little about any of them.
 */
const maxVisited = 40_000

/**
 * What something is also called says less than its name, and another form of the word less, where nothing is called
 * by the word itself.
 */
const otherNameSimilarity = 0.9
const otherFormSimilarity = 0.8

/** What a model says of an image says less than what is written in it, and that less than its name. */
const seenSimilarity = 0.75
const seenFormSimilarity = 0.65

/** What the beginning of a word says where the vocabulary does not take it for one. */
const begunSimilarity = 0.8

/** Words that link others; they say little of what is asked for, however rare they are in names. */
const linkingWords: ReadonlySet<string> = new Set(
  `a all am an and any are as at be been by can could did do does every for from had has have how i in is it its
  me my of on or our please show some that the there these they this those to was we were what when where which
  who whose why will with would you your`.split(/\s+/u),
)
export const isLinkingWord = (word: string): boolean => linkingWords.has(word)
const linkingShare = 0.1
/** And so does a word that is nowhere, though it is the rarest of all. */
const unknownShare = 0.75

function shareOf(word: string, isKnown: boolean): number {
  if (linkingWords.has(word)) return linkingShare
  return isKnown ? 1 : unknownShare
}

interface Term {
  readonly word: string
  readonly weight: number
  readonly lists: readonly { readonly rows: Uint32Array; readonly similarity: number }[]
  readonly rowCount: number
}

/** Finds names that have words like those asked for. Rare words count for more. */
export function matchNames(
  documents: Documents,
  words: readonly string[],
  isWanted: (row: number) => boolean,
): NameMatches {
  const terms = [...new Set(words)]
    .map((word) => termOf(documents, word))
    .toSorted((a, b) => a.rowCount - b.rowCount)
  const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0)
  const coverageByRow = new Float32Array(documents.end)
  const bestByRow = new Float32Array(documents.end)
  const rows: number[] = []
  let left = maxVisited
  for (const term of terms) {
    const share = term.weight / totalWeight
    for (const row of noteBest(term, Math.max(0, left), bestByRow)) {
      const similarity = bestByRow[row] ?? 0
      bestByRow[row] = 0
      if (!isWanted(row)) continue
      const coverage = coverageByRow[row] ?? 0
      if (coverage === 0) rows.push(row)
      coverageByRow[row] = coverage + share * similarity
    }
    left -= term.rowCount
  }
  completeNames(documents, { words, terms, totalWeight, rows, coverageByRow })
  return {
    rows,
    coverageOf: (row) => coverageByRow[row] ?? 0,
    isAnyKnown: terms.some(({ rowCount }) => rowCount > 0),
  }
}

interface Counted {
  readonly words: readonly string[]
  readonly terms: readonly Term[]
  readonly totalWeight: number
  readonly rows: readonly number[]
  readonly coverageByRow: Float32Array
}

/**
 * Who types a name may not be at its end: rows that have all other words, and a name that begins with
 * the whole question, have the last one too. Of the words that begin so, the vocabulary gives only some.
 */
function completeNames(documents: Documents, counted: Counted): void {
  const { words, terms, totalWeight, rows, coverageByRow } = counted
  const last = terms.find(({ word }) => word === words.at(-1))
  if (last === undefined || words.length < 2) return
  const share = last.weight / totalWeight
  const begun = 1 - share + share * begunSimilarity
  const asked = words.join('')
  for (const row of rows) {
    const coverage = coverageByRow[row] ?? 0
    const hasAllOthers = coverage > 1 - share - rounding
    if (
      hasAllOthers &&
      coverage < begun &&
      lettersOf(documents.at(row)?.name ?? '').startsWith(asked)
    )
      coverageByRow[row] = begun
  }
}

/** Shares are added in another order than the one they are subtracted in. */
const rounding = 1e-5

/** Writes down how like each row's most alike word is. Answers the rows, each once. */
function noteBest({ lists }: Term, maxRows: number, bestByRow: Float32Array): readonly number[] {
  const noted: number[] = []
  let left = maxRows
  for (const { rows, similarity } of lists) {
    const count = Math.min(rows.length, left)
    for (let place = 0; place < count; place += 1) {
      const row = rows[place] ?? 0
      const best = bestByRow[row] ?? 0
      if (best === 0) noted.push(row)
      if (similarity > best) bestByRow[row] = similarity
    }
    left -= count
  }
  return noted
}

/** Whether some name has the very word. */
const isOwnWord = (lists: Term['lists']): boolean =>
  lists.some(({ similarity }) => similarity === 1)

function termOf(documents: Documents, word: string): Term {
  const lists = documents.vocabulary
    .similar(word)
    .map(({ id, similarity }) => ({ rows: documents.rowsWith(id), similarity }))
  const called = documents.rowsCalled(word)
  if (called.length > 0) lists.push({ rows: called, similarity: otherNameSimilarity })
  else if (!isOwnWord(lists)) {
    const rows = documents.rowsCalledLike(word)
    if (rows.length > 0) lists.push({ rows, similarity: otherFormSimilarity })
  }
  const seen = documents.rowsSeenAs(word)
  if (seen.length > 0) lists.push({ rows: seen, similarity: seenSimilarity })
  const seenLike = documents.rowsSeenAsLike(word)
  if (seenLike.length > seen.length) lists.push({ rows: seenLike, similarity: seenFormSimilarity })
  const [best] = lists
  const rarity = Math.log(1 + (documents.size + 1) / (1 + (best?.rows.length ?? 0)))
  return {
    word,
    weight: rarity * shareOf(word, lists.length > 0),
    lists,
    rowCount: lists.reduce((sum, { rows }) => sum + rows.length, 0),
  }
}
