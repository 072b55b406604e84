import type { AssetRecord } from '../../ports/records/asset.ts'
import { createFacets, type Facets } from './facets.ts'
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
  rowsNamed(name: string): readonly number[]
  /** Has other vectors answer from now on. */
  serve(vectors: VectorTable): void
  /** Adds an asset, or replaces the one with its path. Answers its row. */
  put(asset: AssetRecord, words: readonly string[]): number
  /** Further words by which a row is found. Those given first stay: a row is described once. */
  describe(row: number, words: readonly string[]): void
  /** Words that the asset is also called by. They have to be said as they are, but for their endings. */
  call(row: number, words: readonly string[]): void
  /** The rows that are also called so, in order; some of them may be gone. */
  rowsCalled(word: string): readonly number[]
  /** Those that are called so with any ending. */
  rowsCalledLike(word: string): readonly number[]
  /** Words for what a model sees in it. They count for less than those that it is called by. */
  see(row: number, words: readonly string[]): void
  /** The rows in which a model sees that, in order; some of them may be gone. */
  rowsSeenAs(word: string): readonly number[]
  /** Those in which it sees that with any ending. */
  rowsSeenAsLike(word: string): readonly number[]
  remove(path: string): void
  paths(): Iterable<string>
  /** The rows that have a word, in order; some of them may be gone. */
  rowsWith(wordId: number): readonly number[]
}

interface Options {
  readonly maxVectors: number
}

export function createDocuments({ maxVectors }: Options): Documents {
  const records: (AssetRecord | undefined)[] = []
  const facets = createFacets()
  const rowByPath = new Map<string, number>()
  const names = createFileNames()
  const rowsByWord: number[][] = []
  const vocabulary = createVocabulary()
  let vectors = createVectorTable(maxVectors)

  const describedRows = new Set<number>()

  function addWords(row: number, words: readonly string[]): void {
    for (const word of words) {
      const rows = (rowsByWord[vocabulary.add(word)] ??= [])
      rows.push(row)
    }
  }

  function remove(path: string): void {
    const row = rowByPath.get(path)
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
    rowOf: (path) => rowByPath.get(path),
    rowsNamed: (name) => names.rows(name),
    serve(others) {
      vectors = others
    },
    put(asset, words) {
      remove(asset.path)
      const row = records.push(asset) - 1
      rowByPath.set(asset.path, row)
      facets.set(row, asset)
      names.add(asset.name, row)
      addWords(row, words)
      return row
    },
    describe(row, words) {
      if (describedRows.has(row)) return
      describedRows.add(row)
      addWords(row, words)
    },
    ...createFurtherWords(),
    remove,
    paths: () => rowByPath.keys(),
    rowsWith: (wordId) => rowsByWord[wordId] ?? [],
  }
}

/** Most names are of one file, and a list for each would take more room than all else. */
function createFileNames() {
  const rowsByName = new Map<string, number | number[]>()
  return {
    rows: (name: string): readonly number[] => [rowsByName.get(name.toLowerCase()) ?? []].flat(),
    add(name: string, row: number): void {
      const key = name.toLowerCase()
      const rows = rowsByName.get(key)
      if (rows === undefined) rowsByName.set(key, row)
      else if (typeof rows === 'number') rowsByName.set(key, [rows, row])
      else rows.push(row)
    },
  }
}

function createOtherNames(): Pick<Documents, 'call' | 'rowsCalled' | 'rowsCalledLike'> {
  const rowsByName = new Map<string, number[]>()
  const rowsByStem = new Map<string, number[]>()
  return {
    call(row, words) {
      for (const word of new Set(words)) note(rowsByName, word, row)
      for (const stem of new Set(words.map(stemOf))) note(rowsByStem, stem, row)
    },
    rowsCalled: (word) => rowsByName.get(word) ?? [],
    rowsCalledLike: (word) => rowsByStem.get(stemOf(word)) ?? [],
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

function note(rowsByWord: Map<string, number[]>, word: string, row: number): void {
  const rows = rowsByWord.get(word)
  if (rows === undefined) rowsByWord.set(word, [row])
  else insertInOrder(rows, row)
}

/** At the end mostly; what is read in an image may be known long after others are. */
function insertInOrder(rows: number[], row: number): void {
  let place = rows.length
  while (place > 0 && (rows[place - 1] ?? -1) > row) place -= 1
  if (rows[place - 1] !== row) rows.splice(place, 0, row)
}
