import { grownTo } from '../../lib/collections/grown-array.ts'
import { createTextTable } from '../../lib/collections/text-table.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { createFacets, type Facets } from './facets.ts'
import { createRowLists } from './words/row-lists.ts'
import { createRowsByText } from './words/rows-by-text.ts'
import { stemOf } from './words/words.ts'
import { createVectorTable, type VectorTable } from './vectors/vector-table.ts'
import { createVocabulary, type Vocabulary } from './words/vocabulary.ts'

/** Every asset that can be found, by a row number that grows and is never given twice. */
export interface Documents {
  /** Those that answer. */
  readonly vectors: VectorTable
  readonly vocabulary: Vocabulary
  /** How many assets there are. */
  readonly size: number
  /** How many rows were ever given. */
  readonly end: number
  at(row: number): AssetRecord | undefined
  readonly facets: Facets
  rowOf(path: string): number | undefined
  /** The rows whose file name is this, in either case, in order; some of them may be gone. */
  rowsNamed(name: string): Uint32Array
  /** Has other vectors answer from now on. */
  serve(vectors: VectorTable): void
  /** Adds an asset, or replaces the one with its path. Answers its row. */
  put(asset: AssetRecord, words: readonly string[]): number
  /** Further words by which a row is found. Those given first stay: a row is described once. */
  describe(row: number, words: readonly string[]): void
  /** Words that the asset is also called by. They have to be said as they are, but for their endings. */
  call(row: number, words: readonly string[]): void
  /** The rows that are also called so, in order; some of them may be gone. */
  rowsCalled(word: string): Uint32Array
  /** Those that are called so with any ending. */
  rowsCalledLike(word: string): Uint32Array
  /** Words for what a model sees in it. They count for less than those that it is called by. */
  see(row: number, words: readonly string[]): void
  /** The rows in which a model sees that, in order; some of them may be gone. */
  rowsSeenAs(word: string): Uint32Array
  /** Those in which it sees that with any ending. */
  rowsSeenAsLike(word: string): Uint32Array
  remove(path: string): void
  paths(): Iterable<string>
  /** The rows that have a word; some of them may be gone. */
  rowsWith(wordId: number): Uint32Array
}

interface Options {
  readonly maxVectors: number
}

export function createDocuments({ maxVectors }: Options): Documents {
  const records: (AssetRecord | undefined)[] = []
  const facets = createFacets()
  const rowByPath = createTextTable({ textOf: (row) => records[row]!.path })
  const rowsByName = createRowsByText()
  const rowsByWord = createRowLists()
  const vocabulary = createVocabulary()
  let vectors = createVectorTable(maxVectors)

  /** By row: whether it is described. */
  let described = new Uint8Array(0)

  function addWords(row: number, words: readonly string[]): void {
    for (const word of words) rowsByWord.append(vocabulary.add(word), row)
  }

  function remove(path: string): void {
    const row = rowByPath.find(path)
    if (row === undefined) return
    rowByPath.delete(path)
    records[row] = undefined
    facets.clear(row)
  }

  return {
    get vectors() {
      return vectors
    },
    vocabulary,
    get size() {
      return rowByPath.size
    },
    get end() {
      return records.length
    },
    at: (row) => records[row],
    facets,
    rowOf: (path) => rowByPath.find(path),
    rowsNamed: (name) => rowsByName.of(name.toLowerCase()),
    serve(others) {
      vectors = others
    },
    put(asset, words) {
      remove(asset.path)
      const row = records.push(asset) - 1
      rowByPath.add(asset.path, row)
      facets.set(row, asset)
      rowsByName.insert(asset.name.toLowerCase(), row)
      addWords(row, words)
      return row
    },
    describe(row, words) {
      if (described[row] === 1) return
      described = grownTo(described, row + 1)
      described[row] = 1
      addWords(row, words)
    },
    ...createFurtherWords(),
    remove,
    paths: () => records.values().flatMap((record) => (record === undefined ? [] : [record.path])),
    rowsWith: (wordId) => rowsByWord.of(wordId),
  }
}

function createOtherNames(): Pick<Documents, 'call' | 'rowsCalled' | 'rowsCalledLike'> {
  const rowsByName = createRowsByText()
  const rowsByStem = createRowsByText()
  return {
    call(row, words) {
      for (const word of new Set(words)) rowsByName.insert(word, row)
      for (const stem of new Set(words.map(stemOf))) rowsByStem.insert(stem, row)
    },
    rowsCalled: (word) => rowsByName.of(word),
    rowsCalledLike: (word) => rowsByStem.of(stemOf(word)),
  }
}

/** What assets are also called, and what a model sees in them. */
function createFurtherWords() {
  const seen = createOtherNames()
  return {
    ...createOtherNames(),
    see: seen.call,
    rowsSeenAs: seen.rowsCalled,
    rowsSeenAsLike: seen.rowsCalledLike,
  }
}
