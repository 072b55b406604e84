import { createTextTable } from '../../../lib/collections/text-table.ts'
import { foldCase } from './word-marks.ts'
import { grownTo } from '../../../lib/collections/grown-array.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'

/** Equal texts under one number, for as long as somebody uses them; and which of them have a word. */
export interface TextDictionary extends Pick<TextIndex, 'mark' | 'size'> {
  /** The number of `text`, which has one more user from now on. */
  acquire(text: string): number
  /** By number: how many of the texts come before. */
  ranks(): Uint32Array
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
  const index = createTextIndex()
  const texts: string[] = []
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
    index.add(id, foldCase(text))
    return id
  }

  function* forget(candidates: readonly number[]) {
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
      return index.size
    },
    mark: (request) => index.mark(request),
    acquire(text) {
      const id = idByText.find(text) ?? create(text)
      if (users[id] === 0) unused.delete(id)
      users[id]! += 1
      return id
    },
    ranks: () => ranksOf(texts, (text) => idByText.find(text)!),
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

/** Sorting without a comparison of our own is five times as fast; numbers without a text are left out. */
function ranksOf(texts: readonly string[], idOf: (text: string) => number): Uint32Array {
  const ranks = new Uint32Array(texts.length)
  let rank = 0
  for (const text of texts.filter((each) => each !== '').sort()) ranks[idOf(text)] = rank++
  return ranks
}
