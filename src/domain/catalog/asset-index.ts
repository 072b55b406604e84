import type { AssetRecord } from '../../ports/records/asset.ts'
import type { KnownColours } from './attributes.ts'
import { createDirectoryTree, directoryOf, type DirectoryTree } from './directory-tree.ts'
import { createKeeping } from './kept-asset.ts'
import { createDocuments, type Documents } from './columns/documents.ts'
import { type AssetQuery, createListing, isNarrowed, type Listing } from './listing.ts'
import { createPathRanges, type PathRanges } from './order/path-ranges.ts'
import {
  createSortOrders,
  isOrderedAlike,
  orderCount,
  type SortOrders,
} from './order/sort-orders.ts'
import { createTerms, type Terms } from './terms.ts'
import { createZoneSummaries, type ZoneSummaries, type ZoneSummary } from './zone-summaries.ts'

/** All assets, and everything that is kept up with them. */
export interface AssetIndex
  extends
    Pick<Listing, 'list'>,
    Pick<DirectoryTree, 'directoriesIn' | 'sumsOf'>,
    Omit<PathRanges, 'documentsBelow'> {
  find(path: string): AssetRecord | undefined
  summary(zone: string): ZoneSummary
  expiring(zone: string): Iterable<AssetRecord>
  put(record: AssetRecord): void
  remove(path: string): void
  /** Takes the first assets, which must come in the order of their paths and be distinct. */
  load(records: readonly AssetRecord[]): Iterable<void>
  /** Has a list, or whatever goes by path, find little left to do for earlier changes; in bounded steps. */
  prepare(query: PreparedQuery): Iterable<void>
  /** What is left to do for earlier changes, in bounded steps; reading does what it needs itself. */
  upkeep(): Iterable<void>
}

/** A list that is to come; all of it, where it has no page. */
export type PreparedQuery = Pick<AssetQuery, 'sort' | 'order'> & Partial<AssetQuery>

const recordsPerStep = 2_000

export function createAssetIndex(colours: KnownColours): AssetIndex {
  const documents = createDocuments(orderCount)
  const orders = createSortOrders(documents)
  const ranges = createPathRanges(documents, orders)
  const summaries = createZoneSummaries()
  const tree = createDirectoryTree({ recordsBelow: (directory) => ranges.below(directory) })
  const terms = createTerms()
  const parts = { documents, orders, summaries, terms }
  const dictionaries = [documents.parts.directories, documents.parts.names]
  const listing = createListing({ documents, orders, ranges, terms, colours })

  const { enter, revise, remove } = createEntries({ ...parts, tree, listing })

  return {
    list: (query) => listing.list(query),
    directoriesIn: (directory) => tree.directoriesIn(directory),
    sumsOf: (directory) => tree.sumsOf(directory),
    below: (directory) => ranges.below(directory),
    directlyIn: (directory) => ranges.directlyIn(directory),
    startingWith: (text) => ranges.startingWith(text),
    inOrder: () => ranges.inOrder(),
    summary: (zone) => summaries.read(zone),
    expiring: (zone) => summaries.expiring(zone),
    find(path) {
      const document = documents.find(path)
      return document === undefined ? undefined : documents.records[document]
    },
    put(record) {
      const document = documents.find(record.path)
      if (document !== undefined && isOrderedAlike(documents.records[document]!, record))
        return revise(document, record)
      remove(record.path)
      listing.forget()
      orders.add(enter(record, document))
    },
    remove,
    *load(records) {
      const entered = new Uint32Array(records.length)
      let count = 0
      for (const record of records) {
        if (count % recordsPerStep === recordsPerStep - 1) yield
        entered[count++] = enter(record)
      }
      orders.load(entered)
    },
    *prepare(query) {
      const { sort, order, words, page, perPage } = query
      yield* orders.prepare('path', 'asc')
      if (words !== undefined) for (const dictionary of dictionaries) yield* dictionary.catchUp()
      const isFirst = page !== undefined && perPage !== undefined && !isNarrowed(query)
      if (sort !== 'dimensions')
        yield* orders.prepare(sort, order, isFirst ? page * perPage : undefined)
    },
    *upkeep() {
      yield* orders.catchUp()
      for (const dictionary of dictionaries) yield* dictionary.catchUp()
      for (const dictionary of dictionaries)
        if (dictionary.needsCleanUp) yield* dictionary.cleanUp()
    },
  }
}

interface Parts {
  readonly documents: Documents
  readonly orders: SortOrders
  readonly summaries: ZoneSummaries
  readonly terms: Terms
  readonly tree: DirectoryTree
  readonly listing: Pick<Listing, 'forget'>
}

/** What one asset comes to in all that is kept of assets. */
function createEntries({ documents, orders, summaries, terms, tree, listing }: Parts) {
  const keep = createKeeping()
  /** Of the last asset: the next is often in the same, and to cut it out and hash it again is slow. */
  let lastDirectory = ''

  function enter(published: AssetRecord, former?: number): number {
    const record = keep(published)
    if (!isDirectlyIn(lastDirectory, record.path)) lastDirectory = directoryOf(record.path)
    tree.add(record, lastDirectory)
    summaries.add(record)
    const document = documents.add(record, lastDirectory, former)
    if (record.metadata !== undefined) terms.add(document, record)
    return document
  }

  /** What is said of an asset changes none of its places, dates and sums. */
  function revise(document: number, published: AssetRecord) {
    const record = keep(published)
    const former = documents.records[document]!
    listing.forget()
    terms.remove(document, former)
    summaries.remove(former)
    documents.revise(document, record)
    summaries.add(record)
    terms.add(document, record)
  }

  function remove(path: string) {
    const document = documents.find(path)
    if (document === undefined) return
    const record = documents.records[document]!
    listing.forget()
    documents.remove(document)
    terms.remove(document, record)
    orders.remove(document)
    tree.remove(record)
    summaries.remove(record)
  }

  return { enter, revise, remove }
}

const isDirectlyIn = (directory: string, path: string) =>
  path.lastIndexOf('/') === directory.length && path.startsWith(directory)
