import { greatest } from '../../../lib/collections/greatest.ts'
import { createTextTable } from '../../../lib/collections/text-table.ts'
import { editDistance } from '../../../lib/text/edit-distance.ts'
import { createRowsByText } from './rows-by-text.ts'

/** A word that a name has, and how like it is to the word asked for, 0 to 1. */
export interface SimilarWord {
  readonly id: number
  readonly similarity: number
}

export interface Vocabulary {
  readonly size: number
  /** The word's number; a new word gets the next. */
  add(word: string): number
  find(word: string): number | undefined
  /** The word of a number that was given. */
  wordAt(id: number): string
  /** The most alike first. */
  similar(word: string): readonly SimilarWord[]
}

/** So many words that share the most pairs of letters are compared letter by letter. */
const maxCompared = 160
const maxSimilar = 48

/** Every word there is, found by what it looks like. */
export function createVocabulary(): Vocabulary {
  const words: string[] = []
  const idByWord = createTextTable({ textOf: (id) => words[id]! })
  const idsByPair = createRowsByText()

  function add(word: string): number {
    const known = idByWord.find(word)
    if (known !== undefined) return known
    const id = words.push(word) - 1
    idByWord.add(word, id)
    for (const pair of pairsOf(word)) idsByPair.append(pair, id)
    return id
  }

  /** The words that have a quarter of the pairs; how many each has is written to `sharedById`. */
  function idsThatShare(pairs: ReadonlySet<string>, sharedById: Uint8Array): readonly number[] {
    const needed = Math.ceil(pairs.size / 4)
    const ids: number[] = []
    for (const pair of pairs)
      for (const id of idsByPair.of(pair)) {
        const shared = (sharedById[id] ?? 0) + 1
        sharedById[id] = shared
        if (shared === needed) ids.push(id)
      }
    return ids
  }

  function similar(word: string): readonly SimilarWord[] {
    const pairs = pairsOf(word)
    const sharedById = new Uint8Array(words.length)
    const nearness = (id: number): number => {
      const shared = sharedById[id] ?? 0
      return shared / (pairs.size + (words[id]?.length ?? 0) + 1 - shared)
    }
    return greatest(idsThatShare(pairs, sharedById), maxCompared, nearness)
      .map((id) => ({ id, similarity: similarityOf(word, words[id] ?? '') }))
      .filter(({ similarity }) => similarity > 0)
      .toSorted((a, b) => b.similarity - a.similarity)
      .slice(0, maxSimilar)
  }

  return {
    wordAt: (id) => words[id] ?? '',
    get size() {
      return words.length
    },
    add,
    find: (word) => idByWord.find(word),
    similar,
  }
}

/** Pairs of neighbouring letters; the first letter is one with the beginning. */
function pairsOf(word: string): Set<string> {
  const marked = `^${word}`
  const pairs = new Set<string>()
  for (let place = 0; place + 1 < marked.length; place += 1)
    pairs.add(marked.slice(place, place + 2))
  return pairs
}

/** 1 for the same word, less for a beginning, a part, or a word with a slip of the finger; else 0. */
function similarityOf(asked: string, word: string): number {
  if (asked === word) return 1
  return partSimilarity(asked, word) || slipSimilarity(asked, word)
}

function partSimilarity(asked: string, word: string): number {
  const shareOfWord = asked.length / word.length
  if (asked.length >= 2 && word.startsWith(asked)) return 0.8 + 0.2 * shareOfWord
  if (word.length >= 4 && asked.startsWith(word)) return 0.7 + 0.2 / shareOfWord
  if (asked.length >= 4 && word.includes(asked)) return 0.6 + 0.2 * shareOfWord
  return 0
}

function slipSimilarity(asked: string, word: string): number {
  const allowed = asked.length < 3 ? 0 : asked.length < 8 ? 1 : 2
  if (Math.abs(asked.length - word.length) > allowed) return 0
  const distance = editDistance(asked, word)
  return distance > allowed ? 0 : 1 - distance / Math.max(asked.length, word.length, 4)
}
