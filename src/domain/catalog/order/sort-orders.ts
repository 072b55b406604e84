import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Documents } from '../columns/documents.ts'
import { foldCase } from '../columns/word-marks.ts'
import { createNotedChanges } from './noted-changes.ts'
import { firstOf, rankNumbers, rankTexts, type Ranks, sortedByRank } from './ranks.ts'
import { createSortedDocuments, type SortedDocuments } from './sorted-documents.ts'

export const sortKeys = [
  'name',
  'path',
  'size',
  'project',
  'category',
  'format',
  'date',
  'created',
  'title',
] as const
export type SortKey = (typeof sortKeys)[number]

export const sortDirections = ['asc', 'desc'] as const
export type SortDirection = (typeof sortDirections)[number]

type KeyOf = (record: AssetRecord) => string | number

const keyOf: Readonly<Record<SortKey, KeyOf>> = {
  name: (record) => record.name,
  path: (record) => record.path,
  size: (record) => record.sizeBytes,
  project: (record) => record.zone,
  category: (record) => record.category,
  format: (record) => record.format,
  date: (record) => record.changedAt.getTime(),
  created: (record) => record.createdAt.getTime(),
  // What has no title goes by its name.
  title: ({ metadata, name }) => foldCase(metadata?.title ?? name),
}

/** Whether two records of a path have the same place in every order. */
export const isOrderedAlike = (one: AssetRecord, other: AssetRecord): boolean =>
  sortKeys.every((key) => keyOf[key](one) === keyOf[key](other))

export const orderCount = sortKeys.length * sortDirections.length

/** All documents in every order that can be asked for. */
export interface SortOrders {
  add(document: number): void
  remove(document: number): void
  /**
   * Takes the first documents, which must come in the order of their paths. The other orders are made when they are read,
   * or by `catchUp`, of these documents alone: nothing else may take the number of a name before that is done.
   */
  load(pathSorted: Uint32Array<ArrayBuffer>): void
  /** Every document in the order, ties by path ascending. Read it before the next change. */
  read(key: SortKey, direction: SortDirection): Uint32Array<ArrayBuffer>
  /** The order for a few documents, e.g. to sort them. */
  comparing(key: SortKey, direction: SortDirection): (a: number, b: number) => number
  /**
   * The same steps for one order alone, for whoever is to read it: reading does all that is left at once. Where so many of
   * the first are all that is to be read, of an order that is not made yet, they are found without making it.
   */
  prepare(key: SortKey, direction: SortDirection, first?: number): Iterable<void>
  /** At least so many of the first in the order, as `read` has them. */
  readFirst(key: SortKey, direction: SortDirection, first: number): Uint32Array<ArrayBuffer>
  /** Moves noted changes to their places in bounded steps, where they are more than a few. */
  catchUp(): Iterable<void>
}

/** Fewer are left to whoever reads an order: one by one they cost as much as many at once. */
const fewestChanges = 64
/** How many changes a step of `catchUp` moves; up to the most where so many wait that it falls behind. */
const stepChanges = 200
const mostStepChanges = 1_000
/** So many are left to whoever reads an order, and moved at once before: some milliseconds. */
const preparedChanges = 300
/** So many of the first are found where it takes longer to make an order than to pass over all that there is. */
const mostFirst = 1_000

export function createSortOrders(documents: Documents): SortOrders {
  const { records } = documents
  const dropped = (document: number) => documents.drop(document)
  const changes = createNotedChanges()
  const orders = sortKeys.flatMap((key) =>
    sortDirections.map((direction) => {
      const compare = comparing(records, key, direction)
      const alikeBefore = (document: number) => formerAlike(documents, keyOf[key], document)
      return {
        key,
        direction,
        compare,
        sorted: createSortedDocuments({ compare, dropped, changes, alikeBefore }),
      }
    }),
  )
  const byName = new Map(orders.map((order) => [`${order.key} ${order.direction}`, order]))
  const find = (key: SortKey, direction: SortDirection) => byName.get(`${key} ${direction}`)!
  const firsts = createFirsts()

  return {
    add(document) {
      firsts.forget()
      changes.add(document)
    },
    remove(document) {
      firsts.forget()
      changes.remove(document)
    },
    load(pathSorted) {
      if (pathSorted.length === 0) return
      firsts.load(pathSorted)
      for (const { key, direction, make } of makingsOf(pathSorted, documents))
        find(key, direction).sorted.replace(make)
    },
    read: (key, direction) => find(key, direction).sorted.read(),
    readFirst(key, direction, first) {
      const { sorted, compare } = find(key, direction)
      const known = sorted.isMade ? undefined : firsts.read(compare, first)
      return known ?? sorted.read()
    },
    *prepare(key, direction, first = Number.POSITIVE_INFINITY) {
      const { sorted, compare } = find(key, direction)
      if (!sorted.isMade && first <= mostFirst) yield* firsts.find(compare)
      if (firsts.read(compare, first) !== undefined) return
      yield* sorted.make()
      while (sorted.pending > preparedChanges) {
        sorted.catchUp(preparedChanges)
        yield
      }
    },
    comparing: (key, direction) => find(key, direction).compare,
    *catchUp() {
      for (const { sorted } of orders) yield* sorted.make()
      const pending = Math.max(...orders.map(({ sorted }) => sorted.pending))
      if (pending < fewestChanges) return
      for (const { sorted } of orders) yield* stepsOf(sorted)
      changes.forget(Math.min(...orders.map(({ sorted }) => sorted.next)))
    },
  }
}

/** How each order of what is in the order of paths is made; what two of them need is made once. */
function* makingsOf(pathSorted: Uint32Array, documents: Documents) {
  const nameRanks = shared(() => ranksOfNames(pathSorted, documents))
  for (const key of sortKeys) {
    const ranks = shared(() =>
      key === 'name' || (key === 'title' && isByName(documents))
        ? nameRanks()
        : ranksOf(key, pathSorted, documents),
    )
    for (const direction of sortDirections) {
      const make = function* () {
        return sortedByRank(pathSorted, yield* ranks(), direction)
      }
      yield { key, direction, make }
    }
  }
}

type Compare = (a: number, b: number) => number

/** What comes first in orders of what was loaded, for as long as nothing else has come or gone. */
function createFirsts() {
  let loaded: Uint32Array | undefined
  const known = new Map<Compare, Uint32Array<ArrayBuffer>>()
  return {
    load(documents: Uint32Array): void {
      loaded = documents
    },
    forget(): void {
      loaded = undefined
      known.clear()
    },
    read(compare: Compare, first: number): Uint32Array<ArrayBuffer> | undefined {
      const found = known.get(compare)
      return found !== undefined && first <= mostFirst ? found : undefined
    },
    *find(compare: Compare): Generator<void, void> {
      const documents = loaded
      if (documents === undefined || known.has(compare)) return
      const found = yield* firstOf(documents, compare, mostFirst)
      if (loaded === documents) known.set(compare, found)
    },
  }
}

/** Made once, whoever goes on with it. */
function shared<T>(make: () => Generator<void, T>): () => Generator<void, T> {
  let making: Generator<void, T> | undefined
  let made: { readonly value: T } | undefined
  return function* () {
    while (made === undefined) {
      making ??= make()
      const { done, value } = making.next()
      if (done === true) made = { value }
      else yield
    }
    return made.value
  }
}

function formerAlike(
  { records, formers }: Documents,
  read: KeyOf,
  document: number,
): number | undefined {
  const former = formers[document]!
  const [record, before] = [records[document]!, records[former]!]
  const isAlike = former !== document && before.path === record.path
  return isAlike && read(before) === read(record) ? former : undefined
}

function* stepsOf(sorted: SortedDocuments) {
  while (sorted.pending > 0) {
    const share = sorted.pending >>> 3
    sorted.catchUp(Math.min(Math.max(stepChanges, share), mostStepChanges))
    yield
  }
}

function comparing(records: readonly AssetRecord[], key: SortKey, direction: SortDirection) {
  const read = keyOf[key]
  const sign = direction === 'asc' ? 1 : -1
  const compareRecords =
    key === 'path'
      ? (left: AssetRecord, right: AssetRecord) => sign * compareByBytes(left.path, right.path)
      : (left: AssetRecord, right: AssetRecord) =>
          sign * compareKeys(read(left), read(right)) || compareByBytes(left.path, right.path)
  // Two versions of one asset can be in an order at once, until the older has been taken out.
  return (a: number, b: number): number => compareRecords(records[a]!, records[b]!) || a - b
}

function compareKeys(left: string | number, right: string | number): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Which of all distinct keys, in their order, each document has; by place in the path order. */
function* ranksOf(
  key: SortKey,
  pathSorted: Uint32Array,
  documents: Documents,
): Generator<void, Ranks> {
  const { records } = documents
  if (key === 'path')
    return { ranks: pathSorted.map((_, place) => place), count: pathSorted.length }
  const read = keyOf[key]
  const keyAt = (place: number) => read(records[pathSorted[place]!]!)
  return typeof keyAt(0) === 'number'
    ? rankNumbers(pathSorted.length, keyAt as (place: number) => number)
    : yield* rankTexts(pathSorted.length, keyAt as (place: number) => string)
}

function* ranksOfNames(
  pathSorted: Uint32Array,
  { parts, nameIds }: Documents,
): Generator<void, Ranks> {
  const rankById = yield* parts.names.ranks()
  return {
    ranks: pathSorted.map((document) => rankById[nameIds[document]!]!),
    count: rankById.length,
  }
}

/** Where nothing has a title, and no name a capital letter, titles are in the order of names. */
const isByName = ({ records, parts }: Documents): boolean =>
  records.every(({ metadata }) => metadata?.title === undefined) && parts.names.areFolded()
