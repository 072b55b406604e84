import type { Documents } from './documents.ts'

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

interface Term {
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
  return { coverageByRow, isAnyKnown: terms.some(({ rowCount }) => rowCount > 0) }
}

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
    weight: rarity,
    lists,
    rowCount: lists.reduce((sum, { rows }) => sum + rows.length, 0),
  }
}
