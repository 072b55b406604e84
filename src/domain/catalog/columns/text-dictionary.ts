import { createTextTable } from '../../../lib/collections/text-table.ts'
import { foldCase } from './word-marks.ts'
import { grownTo } from '../../../lib/collections/grown-array.ts'
import { sortedPlaces } from '../../../lib/collections/sorted-in-steps.ts'
import { createTextIndex, type Mark, type TextIndex } from './text-index.ts'

/** Equal texts under one number, for as long as somebody uses them; and which of them have a word. */
export interface TextDictionary extends Pick<TextIndex, 'mark'> {
  /** One more than the highest number so far: how long `masks` must be. */
  readonly size: number
  /** The number of `text`, which has one more user from now on. */
  acquire(text: string): number
  /** Has new texts found by their words, in bounded steps; `mark` does at once what is left of it. */
  catchUp(): Iterable<void>
  /** Whether all texts are as they are compared without letter case. */
  areFolded(): boolean
  /** By number: how many of the texts come before. In bounded steps; who has a user all the while has its rank. */
  ranks(): Generator<void, Uint32Array>
  /** Takes one user away. A number without users stays what it is until a clean-up. */
  release(id: number): void
  /** Whether so many texts are without users that a clean-up is worth its while. */
  readonly needsCleanUp: boolean
  /** Forgets the texts without users in bounded steps. One at a time. */
  cleanUp(): Iterable<void>
}

/** Below this many texts without users a clean-up is not worth a pass over all others. */
const minUnused = 1_000
const stepTexts = 5_000

export function createTextDictionary(): TextDictionary {
  const texts: string[] = []
  const index = createPostponedIndex(texts)
  const idByText = createTextTable({ textOf: (id) => texts[id]! })
  let users = new Uint32Array(0)
  let freeIds: number[] = []
  let unused = new Set<number>()

  function create(text: string): number {
    const id = freeIds.pop() ?? texts.length
    texts[id] = text
    idByText.add(text, id)
    users = grownTo(users, id + 1)
    users[id] = 0
    index.add(id)
    return id
  }

  function* forget(candidates: readonly number[]) {
    yield* index.catchUp()
    const leaving: number[] = []
    for (const [at, id] of candidates.entries()) {
      // Between two steps somebody may have come to use the text again.
      if (users[id] === 0) {
        unused.delete(id)
        idByText.delete(texts[id]!)
        texts[id] = ''
        leaving.push(id)
      }
      if (at % stepTexts === stepTexts - 1) yield
    }
    yield* index.remove(leaving)
    freeIds = [...freeIds, ...leaving]
  }

  return {
    get size() {
      return texts.length
    },
    mark: (request) => index.mark(request),
    catchUp: () => index.catchUp(),
    acquire(text) {
      const id = idByText.find(text) ?? create(text)
      if (users[id] === 0) unused.delete(id)
      users[id]! += 1
      return id
    },
    areFolded: () => texts.every((text) => foldCase(text) === text),
    ranks: () => ranksOf(texts),
    release(id) {
      users[id]! -= 1
      if (users[id] === 0) unused.add(id)
    },
    get needsCleanUp() {
      return unused.size >= minUnused && unused.size * 2 > idByText.size
    },
    cleanUp() {
      const ids = [...unused]
      unused = new Set()
      return forget(ids)
    },
  }
}

/** An index of texts by their words that takes new ones in later: thousands come at once, and lists by words are fewer. */
function createPostponedIndex(texts: readonly string[]) {
  const index = createTextIndex()
  let newIds: number[] = []

  function* catchUp() {
    while (newIds.length > 0) {
      const some = newIds.length > stepTexts ? newIds.splice(-stepTexts) : newIds
      if (some === newIds) newIds = []
      for (const id of some) index.add(id, foldCase(texts[id]!))
      if (newIds.length > 0) yield
    }
  }

  return {
    catchUp,
    add: (id: number) => void newIds.push(id),
    mark(request: Mark): boolean {
      for (const _step of catchUp());
      return index.mark(request)
    },
    /** None of them may be new. */
    remove: (ids: readonly number[]) => index.remove(ids),
  }
}

/** Numbers without a text are left out. */
function* ranksOf(texts: readonly string[]): Generator<void, Uint32Array> {
  const ids = new Uint32Array(texts.length)
  let count = 0
  for (let id = 0; id < texts.length; id += 1) if (texts[id] !== '') ids[count++] = id
  const places = yield* sortedPlaces(Array.from(ids.subarray(0, count), (id) => texts[id]!))
  const ranks = new Uint32Array(texts.length)
  for (let rank = 0; rank < places.length; rank += 1) ranks[ids[places[rank]!]!] = rank
  return ranks
}
