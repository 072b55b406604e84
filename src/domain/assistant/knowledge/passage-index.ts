import { takeTurns } from '../../../lib/async/turns.ts'
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

/** Whoever asks for a number means that one: `429`. */
const numberWeight = 1.6
const isNumber = (term: string): boolean => /^\p{N}+$/u.test(term)

/** What a term says about a passage that has it. */
interface Posting {
  readonly row: number
  readonly score: number
}

const passagesPerTurn = 100
const termsPerTurn = 1_000

/** Finds passages by their words. Others have their turn while it is made. */
export async function createPassageIndex(passages: readonly Passage[]): Promise<PassageIndex> {
  const entries = await entriesOf(passages)
  const averageLength =
    entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length)
  const rowsByTerm = rowsByTermOf(entries)
  const rarityOf = (term: string): number =>
    rarity(term, rowsByTerm.get(term)?.length ?? 0, entries.length)

  function weigh({ countByTerm, length }: Entry, term: string): number {
    const count = countByTerm.get(term) ?? 0
    const room = 1 - lengthWeight + (lengthWeight * length) / averageLength
    return (rarityOf(term) * count * (saturation + 1)) / (count + saturation * room)
  }

  const postingsByTerm = new Map<string, readonly Posting[]>()
  const turns = takeTurns(termsPerTurn)
  for (const [term, rows] of rowsByTerm) {
    const postings = rows.flatMap((row) => {
      const entry = entries[row]
      return entry ? [{ row, score: weigh(entry, term) }] : []
    })
    postingsByTerm.set(term, postings)
    await turns.after(1)
  }

  /** The rows that have a term, be it said differently, with how well they do. */
  function matchTerm(term: string): ReadonlyMap<number, WordMatch> {
    const best = new Map<number, WordMatch>()
    const spellings = [
      { spelling: term, share: 1 },
      ...otherTermsFor(term).map((spelling) => ({ spelling, share: otherWordShare })),
    ]
    for (const { spelling, share } of spellings)
      for (const { row, score } of postingsByTerm.get(spelling) ?? []) {
        const known = best.get(row) ?? none
        best.set(row, {
          score: Math.max(known.score, share * score),
          coverage: Math.max(known.coverage, share),
        })
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

function rowsByTermOf(entries: readonly Entry[]): ReadonlyMap<string, readonly number[]> {
  const rowsByTerm = new Map<string, number[]>()
  for (const [row, { countByTerm }] of entries.entries())
    for (const term of countByTerm.keys()) {
      const rows = rowsByTerm.get(term)
      if (rows) rows.push(row)
      else rowsByTerm.set(term, [row])
    }
  return rowsByTerm
}

async function entriesOf(passages: readonly Passage[]): Promise<readonly Entry[]> {
  const turns = takeTurns(passagesPerTurn)
  const entries: Entry[] = []
  for (const passage of passages) {
    entries.push(entryOf(passage))
    await turns.after(1)
  }
  return entries
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
