import { setImmediate } from 'node:timers/promises'

import type { Passage } from './passage.ts'
import { createTerms, otherTermsFor, termsOf } from './terms.ts'

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

/** A passage that has a term, and how often. */
interface Posting {
  readonly row: number
  readonly count: number
}

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the usual constants. */
const saturation = 1.2
const lengthWeight = 0.6
/** A word in a heading counts as so many in the text. */
const titleWeight = 2
/** A word that is only said differently counts for less. */
const otherWordShare = 0.7

/** Whoever asks for a number means that one: `429`. */
const numberWeight = 1.6
const isNumber = (term: string): boolean => /^\p{N}+$/u.test(term)

/** Others wait for so many passages, some 30 ms: whoever asks first waits for all, and for what others do in between. */
const passagesPerTurn = 1_200

/** Finds passages by their words. */
export async function createPassageIndex(passages: readonly Passage[]): Promise<PassageIndex> {
  const { postingsByTerm, lengths } = await postingsOf(passages)
  const averageLength =
    lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, passages.length)

  const rarityOf = (term: string): number =>
    rarity(term, postingsByTerm.get(term)?.length ?? 0, passages.length)

  function weigh({ row, count }: Posting, termRarity: number): number {
    const room = 1 - lengthWeight + (lengthWeight * (lengths[row] ?? 0)) / averageLength
    return (termRarity * count * (saturation + 1)) / (count + saturation * room)
  }

  /** The rows that have a term, be it said differently, with how well they do. */
  function matchTerm(term: string): ReadonlyMap<number, WordMatch> {
    const best = new Map<number, WordMatch>()
    const spellings = [
      { spelling: term, share: 1 },
      ...otherTermsFor(term).map((spelling) => ({ spelling, share: otherWordShare })),
    ]
    for (const { spelling, share } of spellings) {
      const termRarity = rarityOf(spelling)
      for (const posting of postingsByTerm.get(spelling) ?? []) {
        const known = best.get(posting.row) ?? none
        best.set(posting.row, {
          score: Math.max(known.score, share * weigh(posting, termRarity)),
          coverage: Math.max(known.coverage, share),
        })
      }
    }
    return best
  }

  return {
    match(question) {
      const terms = [...new Set(termsOf(question))]
      const total = terms.reduce((sum, term) => sum + rarityOf(term), 0)
      const matches = passages.map(() => none)
      for (const term of terms)
        for (const [row, { score, coverage }] of matchTerm(term)) {
          const known = matches[row] ?? none
          matches[row] = {
            score: known.score + score,
            coverage: known.coverage + (coverage * rarityOf(term)) / total,
          }
        }
      return matches
    },
  }
}

/** Of a term that is in `rows` of `all` passages. */
const rarity = (term: string, rows: number, all: number): number =>
  (isNumber(term) ? numberWeight : 1) * Math.log(1 + (all + 0.5) / (rows + 0.5))

const none: WordMatch = { score: 0, coverage: 0 }

async function postingsOf(passages: readonly Passage[]) {
  const postingsByTerm = new Map<string, { row: number; count: number }[]>()
  const lengths: number[] = []
  const termsIn = createTerms()
  for (const [row, { title, text }] of passages.entries()) {
    const count = (term: string, weight: number): void => {
      const postings = postingsByTerm.get(term)
      const last = postings?.at(-1)
      if (last?.row === row) last.count += weight
      else if (postings) postings.push({ row, count: weight })
      else postingsByTerm.set(term, [{ row, count: weight }])
    }
    const terms = termsIn(text)
    for (const term of terms) count(term, 1)
    for (const term of termsIn(title)) count(term, titleWeight)
    lengths.push(terms.length)
    if (row % passagesPerTurn === passagesPerTurn - 1) await setImmediate()
  }
  return { postingsByTerm, lengths }
}
