import type { Passage } from './passage.ts'
import { otherTermsFor, termsOf } from './terms.ts'

/** How well a passage's words fit a question. */
export interface WordMatch {
  /** BM25. */
  readonly score: number
  /** The part of the question, by the rarity of its words, that the passage has: 0 to 1. */
  readonly coverage: number
}

export interface PassageIndex {
  /** For each passage, in order. */
  match(question: string): readonly WordMatch[]
}

interface Entry {
  readonly countByTerm: ReadonlyMap<string, number>
  readonly length: number
}

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the usual constants. */
const saturation = 1.2
const lengthWeight = 0.6
/** A word in a heading counts as so many in the text. */
const titleWeight = 2
/** A word that is only said differently counts for less. */
const otherWordShare = 0.7

/** Finds passages by their words. */
export function createPassageIndex(passages: readonly Passage[]): PassageIndex {
  const entries = passages.map(entryOf)
  const averageLength =
    entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const countByTerm = new Map<string, number>()
  for (const entry of entries)
    for (const term of entry.countByTerm.keys())
      countByTerm.set(term, (countByTerm.get(term) ?? 0) + 1)
  const rarityOf = (term: string): number =>
    Math.log(1 + (entries.length + 0.5) / ((countByTerm.get(term) ?? 0) + 0.5))

  function weigh(entry: Entry, term: string): number {
    const count = entry.countByTerm.get(term)
    if (count === undefined) return 0
    const room = 1 - lengthWeight + (lengthWeight * entry.length) / averageLength
    return (rarityOf(term) * count * (saturation + 1)) / (count + saturation * room)
  }

  return {
    match(question) {
      const terms = [...new Set(termsOf(question))].map((term) => ({
        rarity: rarityOf(term),
        spellings: [
          { term, share: 1 },
          ...otherTermsFor(term).map((other) => ({ term: other, share: otherWordShare })),
        ],
      }))
      const total = terms.reduce((sum, { rarity }) => sum + rarity, 0)
      return entries.map((entry) => {
        let score = 0
        let covered = 0
        for (const { rarity, spellings } of terms) {
          const known = spellings.filter((each) => entry.countByTerm.has(each.term))
          score += Math.max(0, ...known.map(({ term, share }) => share * weigh(entry, term)))
          covered += rarity * Math.max(0, ...known.map(({ share }) => share))
        }
        return { score, coverage: total === 0 ? 0 : covered / total }
      })
    },
  }
}

function entryOf({ title, text }: Passage): Entry {
  const countByTerm = new Map<string, number>()
  const count = (term: string, weight: number): void =>
    void countByTerm.set(term, (countByTerm.get(term) ?? 0) + weight)
  const terms = termsOf(text)
  for (const term of terms) count(term, 1)
  for (const term of termsOf(title)) count(term, titleWeight)
  return { countByTerm, length: terms.length }
}
