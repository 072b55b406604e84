import { createPairPlaces } from './pair-places.ts'
import { createTextSlab } from './text-slab.ts'

/** Where in a text a word has to be. */
export type WordPlace = 'anywhere' | 'start' | 'end'

export interface Mark {
  readonly word: string
  readonly place: WordPlace
  /** `bits` are set in the entry of each text that has the word at the place. */
  readonly masks: Uint32Array
  readonly bits: number
}

/**
 * Texts by number, and for every pair of neighbouring bytes the places where it occurs: a word is
 * looked for where the rarest pair of its bytes is. A zero byte is before and after each text, so that
 * a word at the start or the end of a text is a word that starts or ends with a zero.
 */
export interface TextIndex {
  /** One more than the highest number so far: how long `masks` must be. */
  readonly size: number
  add(id: number, text: string): void
  /** Answers whether any text was marked. */
  mark(mark: Mark): boolean
  /** Forgets texts in bounded steps. Their numbers may be used anew only when all steps are done. */
  remove(ids: readonly number[]): Iterable<void>
}

/** How many texts a step of a removal frees. */
const stepTexts = 5_000

export function createTextIndex(): TextIndex {
  const slab = createTextSlab()
  const pairPlaces = createPairPlaces()
  let size = 0

  /** Marks by the places of one pair, which is in the pattern at byte `at`. */
  function markPair({ pattern, masks, bits, pair, at }: PairMark): boolean {
    const { bytes, idByRoom } = slab
    const places = pairPlaces.of(pair)
    const count = pairPlaces.counts[pair]!
    // The pair says all of a pattern that is no longer than it is.
    const isCertain = pattern.length <= 2
    let found = false
    for (let index = 0; index < count; index += 1) {
      const start = places[index]! - at
      if (!isCertain && !isAt(start, pattern, bytes)) continue
      masks[idByRoom[start >>> 4]!]! |= bits
      found = true
    }
    return found
  }

  return {
    get size() {
      return size
    },
    add(id, text) {
      size = Math.max(size, id + 1)
      let place = slab.put(id, text)
      const { bytes } = slab
      do pairPlaces.add(pairAt(bytes, place), place)
      while (bytes[++place] !== 0)
    },
    mark(mark) {
      if (mark.word.includes('\0') || !mark.word.isWellFormed()) return false
      const pattern = Buffer.from(patternOf(mark))
      if (pattern.length === 0) return markAll(mark, size)
      const { first, last, at } = pairsToSearch(pattern, pairPlaces.counts)
      let found = false
      for (let pair = first; pair <= last; pair += 1)
        found = markPair({ ...mark, pattern, pair, at }) || found
      return found
    },
    *remove(ids) {
      const isLeaving = new Uint8Array(ids.reduce((most, id) => Math.max(most, id + 1), 0))
      for (const id of ids) isLeaving[id] = 1
      // Numbers beyond the table were given since; they are not leaving.
      yield* pairPlaces.remove((place) => isLeaving[slab.idByRoom[place >>> 4]!] === 1)
      for (const [at, id] of ids.entries()) {
        slab.free(id)
        if (at % stepTexts === stepTexts - 1) yield
      }
    },
  }
}

interface PairMark extends Pick<Mark, 'masks' | 'bits'> {
  readonly pattern: Uint8Array
  readonly pair: number
  readonly at: number
}

function patternOf({ word, place }: Mark): string {
  if (place === 'start') return `\0${word}`
  return place === 'end' ? `${word}\0` : word
}

const pairAt = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!

/** The pairs from `first` to `last`, one of which is at byte `at` wherever the pattern is. */
function pairsToSearch(pattern: Uint8Array, counts: Uint32Array) {
  const [byte] = pattern
  if (pattern.length === 1) return { first: byte! << 8, last: (byte! << 8) | 0xff, at: 0 }
  let at = 0
  for (let other = 1; other + 1 < pattern.length; other += 1)
    if (counts[pairAt(pattern, other)]! < counts[pairAt(pattern, at)]!) at = other
  return { first: pairAt(pattern, at), last: pairAt(pattern, at), at }
}

function markAll({ masks, bits }: Mark, size: number): boolean {
  for (let id = 0; id < size; id += 1) masks[id]! |= bits
  return size > 0
}

/** Cannot reach from one text into the next: two zeros are between them, and in no pattern. */
function isAt(start: number, pattern: Uint8Array, bytes: Uint8Array): boolean {
  for (let at = 0; at < pattern.length; at += 1) if (bytes[start + at] !== pattern[at]) return false
  return true
}
