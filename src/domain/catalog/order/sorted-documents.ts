import { grownTo } from '../../../lib/collections/grown-array.ts'
import type { NotedChanges } from './noted-changes.ts'
import { lowerBound } from './ranks.ts'

interface Dependencies {
  /** A total order: 0 for a document and itself only. Must hold for a document until it is dropped. */
  readonly compare: (a: number, b: number) => number
  /** Is told of each removed document once its place in the order is no longer needed. */
  readonly dropped: (document: number) => void
  readonly changes: Pick<NotedChanges, 'end' | 'forEach'>
  /** The document in whose place another one came, if both have the same place in the order. */
  readonly alikeBefore: (document: number) => number | undefined
}

/**
 * Documents in one order. Changes are only noted, elsewhere; they move into the array when it is read,
 * or before that in the bounded steps of `catchUp`.
 */
export interface SortedDocuments {
  /** The number of the first noted change that the array does not hold yet. */
  readonly next: number
  /** How many of those there are. */
  readonly pending: number
  /** Whether what was loaded is in order. */
  readonly isMade: boolean
  /** Takes over an array that is in order, for a first load. It is made when it is needed, or before by `make`. */
  replace(sort: () => Making): void
  /** Makes it in bounded steps. */
  make(): Iterable<void>
  /** Moves at most `limit` noted changes into the array. */
  catchUp(limit: number): void
  /** Every document in order. A view: read it before anything is added or removed. */
  read(): Uint32Array<ArrayBuffer>
}

type Making = Generator<void, Uint32Array<ArrayBuffer>>

export function createSortedDocuments(dependencies: Dependencies): SortedDocuments {
  const { compare, dropped, changes, alikeBefore } = dependencies
  let documents = new Uint32Array(0)
  let count = 0
  let next = changes.end
  let making: Making | undefined

  /** Others may have made it, or gone on with it, between two steps. */
  function* make() {
    while (making !== undefined) {
      const { done, value } = making.next()
      if (done === true) {
        documents = value
        count = documents.length
        making = undefined
      }
      yield
    }
  }

  function catchUp(limit: number) {
    for (const _step of make());
    const end = Math.min(changes.end, next + limit)
    const { entering, leaving, passing } = sumOf(changes, next, end)
    next = end
    for (const document of passing) dropped(document)
    const successors = leaving.size > 0 ? pairsOf(entering, leaving, alikeBefore) : noPairs
    exchange(documents.subarray(0, count), successors, placeOf)
    for (const former of successors.keys()) dropped(former)
    if (leaving.size > 0) takeOut([...leaving])
    documents = grownTo(documents, count + entering.size)
    if (entering.size > 0) putIn(documents, count, { entering, compare })
    count += entering.size
  }

  function takeOut(leaving: readonly number[]) {
    count = without(documents.subarray(0, count), leaving, placeOf)
    for (const document of leaving) dropped(document)
  }

  const placeOf = (document: number, end: number) =>
    lowerBound(end, (place) => compare(documents[place]!, document) < 0)

  return {
    get next() {
      return next
    },
    get pending() {
      return changes.end - next
    },
    get isMade() {
      return making === undefined
    },
    replace(sort) {
      making = sort()
    },
    make,
    catchUp,
    read() {
      catchUp(Number.POSITIVE_INFINITY)
      return documents.subarray(0, count)
    },
  }
}

/** Puts some in among the first `count`, behind which there is room for them. */
function putIn(
  documents: Uint32Array,
  count: number,
  { entering, compare }: Pick<Dependencies, 'compare'> & { readonly entering: Iterable<number> },
): void {
  const sorted = [...entering].sort(compare)
  let end = count
  for (let index = sorted.length - 1; index >= 0; index -= 1) {
    const place = placeBefore(documents.subarray(0, end), sorted[index]!, compare)
    documents.copyWithin(place + index + 1, place, end)
    documents[place + index] = sorted[index]!
    end = place
  }
}

/** Where a document comes in, looked for from the end: what enters together is often beside each other. */
function placeBefore(
  documents: Uint32Array,
  document: number,
  compare: Dependencies['compare'],
): number {
  let after = documents.length
  let step = 1
  while (after >= step && compare(documents[after - step]!, document) > 0) {
    after -= step
    step *= 2
  }
  const start = Math.max(0, after - step)
  return (
    start + lowerBound(after - start, (place) => compare(documents[start + place]!, document) < 0)
  )
}

/** What changes come to; `passing` are those that were added and removed again. */
function sumOf(changes: Pick<NotedChanges, 'forEach'>, start: number, end: number) {
  const entering = new Set<number>()
  const leaving = new Set<number>()
  const passing: number[] = []
  changes.forEach(start, end, (document, isAdded) => {
    if (isAdded) entering.add(document)
    else if (entering.delete(document)) passing.push(document)
    else leaving.add(document)
  })
  return { entering, leaving, passing }
}

const noPairs: ReadonlyMap<number, number> = new Map()

/** Takes those out of both sets that come in the place of another: by that other one. */
function pairsOf(
  entering: Set<number>,
  leaving: Set<number>,
  alikeBefore: Dependencies['alikeBefore'],
): ReadonlyMap<number, number> {
  const successors = new Map<number, number>()
  for (const document of entering) {
    const former = alikeBefore(document)
    if (former === undefined || !leaving.delete(former)) continue
    entering.delete(document)
    successors.set(former, document)
  }
  return successors
}

/** What stays where it was, as an overwritten file does in most orders, moves nothing else. */
function exchange(
  documents: Uint32Array,
  successors: ReadonlyMap<number, number>,
  placeOf: (document: number, end: number) => number,
): void {
  if (isWorthPassing(successors.size, documents.length)) return passOver(documents, successors)
  for (const [former, document] of successors)
    documents[placeOf(former, documents.length)] = document
}

/** Looking one up costs about as much as passing over hundreds: texts are compared for it, not numbers. */
const isWorthPassing = (changed: number, count: number): boolean => changed * 500 > count

function passOver(documents: Uint32Array, successors: ReadonlyMap<number, number>): void {
  for (let place = 0; place < documents.length; place += 1) {
    const successor = successors.get(documents[place]!)
    if (successor !== undefined) documents[place] = successor
  }
}

/** Closes the gaps that `leaving` leave; answers how many documents stay. */
function without(
  documents: Uint32Array,
  leaving: readonly number[],
  placeOf: (document: number, end: number) => number,
): number {
  if (isWorthPassing(leaving.length, documents.length))
    return withoutMembers(documents, new Set(leaving))
  const places = Uint32Array.from(leaving, (document) => placeOf(document, documents.length))
  return withoutPlaces(documents, places.sort())
}

function withoutMembers(documents: Uint32Array, leaving: ReadonlySet<number>): number {
  let kept = 0
  for (const document of documents) if (!leaving.has(document)) documents[kept++] = document
  return kept
}

/** `places` are in order. */
function withoutPlaces(documents: Uint32Array, places: Uint32Array): number {
  let kept = places[0]!
  for (let index = 0; index < places.length; index += 1) {
    const from = places[index]! + 1
    const to = places[index + 1] ?? documents.length
    documents.copyWithin(kept, from, to)
    kept += to - from
  }
  return kept
}
