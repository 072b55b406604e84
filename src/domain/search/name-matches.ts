import type { Documents } from './documents.ts'
import { wordsOf } from './words.ts'

/** How much of a question, by weight, the names of rows cover: 0 to 1. */
export interface NameMatches {
  readonly coverageByRow: ReadonlyMap<number, number>
  /** Whether some word of the question looks like a word of a name. */
  readonly isAnyKnown: boolean
}

/**
 * So many entries of the lists of rows are looked at for a question; the rarest words' come first, and
 * a word that most names have says little about any of them.
 */
const maxVisited = 40_000

/** What something is also called says less than its name. */
const otherNameSimilarity = 0.9

/** What the beginning of a word says where the vocabulary does not take it for one. */
const begunSimilarity = 0.8

interface Term {
  readonly word: string
  readonly weight: number
  readonly lists: readonly { readonly rows: readonly number[]; readonly similarity: number }[]
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
  const coverageByRow = new Map<number, number>()
  let left = maxVisited
  for (const term of terms) {
    const share = term.weight / totalWeight
    const bestByRow = bestOf(term, Math.max(0, left))
    left -= term.rowCount
    for (const [row, similarity] of bestByRow)
      if (isWanted(row)) coverageByRow.set(row, (coverageByRow.get(row) ?? 0) + share * similarity)
  }
  completeNames(documents, { words, terms, totalWeight, coverageByRow })
  return { coverageByRow, isAnyKnown: terms.some(({ rowCount }) => rowCount > 0) }
}

interface Counted {
  readonly words: readonly string[]
  readonly terms: readonly Term[]
  readonly totalWeight: number
  readonly coverageByRow: Map<number, number>
}

/**
 * Who types a name may not be at its end: rows that have all other words, and a name that begins with
 * the whole question, have the last one too. Of the words that begin so, the vocabulary gives only some.
 */
function completeNames(documents: Documents, counted: Counted): void {
  const { words, terms, totalWeight, coverageByRow } = counted
  const last = terms.find(({ word }) => word === words.at(-1))
  if (last === undefined || words.length < 2) return
  const share = last.weight / totalWeight
  const begun = 1 - share + share * begunSimilarity
  const asked = words.join('')
  for (const [row, coverage] of coverageByRow) {
    const hasAllOthers = coverage > 1 - share - rounding
    if (hasAllOthers && coverage < begun && lettersOf(documents.at(row)?.name).startsWith(asked))
      coverageByRow.set(row, begun)
  }
}

/** Shares are added in another order than the one they are subtracted in. */
const rounding = 1e-6

/** A name as its words without what is between them; quick for plain letters, for many are looked at. */
const lettersOf = (name = ''): string =>
  /^[ -~]*$/u.test(name) ? name.toLowerCase().replace(/[^a-z0-9]+/gu, '') : wordsOf(name).join('')

/** The rows of a term, each with its most alike word. */
function bestOf({ lists }: Term, maxRows: number): ReadonlyMap<number, number> {
  const bestByRow = new Map<number, number>()
  let left = maxRows
  for (const { rows, similarity } of lists) {
    for (const row of rows.slice(0, left)) if (!bestByRow.has(row)) bestByRow.set(row, similarity)
    left = Math.max(0, left - rows.length)
  }
  return bestByRow
}

function termOf(documents: Documents, word: string): Term {
  const lists = documents.vocabulary
    .similar(word)
    .map(({ id, similarity }) => ({ rows: documents.rowsWith(id), similarity }))
  const called = documents.rowsCalled(word)
  if (called.length > 0) lists.push({ rows: called, similarity: otherNameSimilarity })
  const [best] = lists
  const rarity = Math.log(1 + (documents.size + 1) / (1 + (best?.rows.length ?? 0)))
  return {
    word,
    weight: rarity,
    lists,
    rowCount: lists.reduce((sum, { rows }) => sum + rows.length, 0),
  }
}
