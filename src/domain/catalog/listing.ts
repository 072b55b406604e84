import type { AssetRecord } from '../../ports/records/asset.ts'
import { type AttributeFilter, attributesPass, type KnownColours } from './attributes.ts'
import { createCandidates } from './candidates.ts'
import type { Documents } from './columns/documents.ts'
import { grownTo } from '../../lib/collections/grown-array.ts'
import { createKeptResults } from './kept-results.ts'
import { createMatcher, type AssetFilter } from './matcher.ts'
import type { PathRanges } from './order/path-ranges.ts'
import type { Terms } from './terms.ts'
import { rankNumbers, sortedByRank } from './order/ranks.ts'
import { type SortDirection, type SortKey, sortKeys, type SortOrders } from './order/sort-orders.ts'

/** What lists can be sorted by: also by how many pixels an image has, which is found out later. */
export const listSortKeys = [...sortKeys, 'dimensions'] as const
type ListSortKey = (typeof listSortKeys)[number]

export interface AssetQuery extends AssetFilter {
  readonly attributes?: AttributeFilter | undefined
  /** Ties by path. Of `dimensions`, what has none comes before what has few. */
  readonly sort: ListSortKey
  readonly order: SortDirection
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

export interface AssetPage {
  /** Empty on a page past the end. */
  readonly items: readonly AssetRecord[]
  readonly totalItems: number
  /** At least 1. */
  readonly totalPages: number
  readonly page: number
}

interface Dependencies {
  readonly documents: Documents
  readonly orders: SortOrders
  readonly ranges: Pick<PathRanges, 'documentsBelow'>
  readonly terms: Pick<Terms, 'candidates'>
  readonly colours: KnownColours
}

/** So few assets are sorted faster than all others are passed over. */
const fewAssets = 200
/** So many results are kept, so that the next page of a query is a look-up. */
const keptResults = 4

/** Answers queries as of now: what was changed before a call is in its response. */
export interface Listing {
  list(query: AssetQuery): AssetPage
  /** Must be called on every change. */
  forget(): void
}

export function createListing({
  documents,
  orders,
  ranges,
  terms,
  colours,
}: Dependencies): Listing {
  const { records } = documents
  const matcher = createMatcher(documents)
  const candidatesOf = createCandidates({ documents, orders, ranges, terms })
  const results = createKeptResults(keptResults)
  const arrange = createArranging({ records, orders })

  function find(query: AssetQuery): Uint32Array {
    const { sort, order } = query
    if (sort === 'dimensions') return bySize(query)
    if (!isNarrowed(query)) return orders.read(sort, order)
    const key = keyOf(query, colours)
    return results.find(key) ?? search({ ...query, sort }, key)
  }

  function bySize(query: AssetQuery): Uint32Array {
    const key = keyOf(query, colours)
    const known = results.find(key)
    if (known !== undefined) return known
    const byPath = find({ ...query, sort: 'path', order: 'asc' })
    const ranks = rankNumbers(byPath.length, (place) => pixelsOf(records[byPath[place]!]!, colours))
    const sorted = sortedByRank(byPath, ranks, query.order)
    results.keep(key, sorted)
    return sorted
  }

  function search(query: OrderedQuery, key: string): Uint32Array {
    const matched = matcher.match(candidatesOf(query), query)
    const passes = query.attributes && attributesPass(query.attributes, colours)
    const found = passes ? matched.filter((document) => passes(records[document]!)) : matched
    const sorted = arrange(found, query)
    results.keep(key, sorted)
    return sorted
  }

  return {
    list(query) {
      const { sort, order, page, perPage } = query
      const end = page * perPage
      const isOfAll = sort !== 'dimensions' && !isNarrowed(query)
      const found = isOfAll ? orders.readFirst(sort, order, end) : find(query)
      const totalItems = isOfAll ? documents.size : found.length
      return {
        items: Array.from(found.subarray(end - perPage, end), (document) => records[document]!),
        totalItems,
        totalPages: Math.max(1, Math.ceil(totalItems / perPage)),
        page,
      }
    },
    forget: () => results.forget(),
  }
}

/** Puts what was found in the order of a query. What it answers is good until the next call. */
function createArranging({
  records,
  orders,
}: Pick<Dependencies, 'orders'> & Pick<Documents, 'records'>) {
  /** By document: whether it is in the result that is being made. */
  let isFound = new Uint8Array(0)
  let inOrder = new Uint32Array(0)

  const sortFew = (found: Uint32Array, { sort, order }: OrderedQuery) =>
    found.sort(orders.comparing(sort, order))

  /** `found` in the order, by going through all of it. A view: the next call replaces it. */
  function passOver(found: Uint32Array, { sort, order }: OrderedQuery): Uint32Array {
    const all = orders.read(sort, order)
    isFound = grownTo(isFound, records.length)
    isFound.fill(0)
    for (let index = 0; index < found.length; index += 1) isFound[found[index]!] = 1
    inOrder = grownTo(inOrder, all.length + 1)
    let count = 0
    for (let place = 0; place < all.length; place += 1) {
      const document = all[place]!
      inOrder[count] = document
      count += isFound[document]!
    }
    return inOrder.subarray(0, count)
  }

  return (found: Uint32Array, query: OrderedQuery): Uint32Array =>
    found.length > fewAssets ? passOver(found, query) : sortFew(found, query)
}

type OrderedQuery = AssetQuery & { readonly sort: SortKey }

function pixelsOf({ sha256 }: AssetRecord, colours: KnownColours): number {
  const size = colours.sizeOf(sha256)
  return size === undefined ? 0 : size.width * size.height
}

/** Whether less than everything is looked for. */
export const isNarrowed = ({
  project,
  category,
  format,
  directory,
  words,
  zones,
  attributes,
}: Pick<AssetQuery, keyof AssetFilter | 'attributes'>) =>
  [project, category, format, directory, zones, attributes].some(
    (filter) => filter !== undefined,
  ) ||
  (words !== undefined && words.length > 0)

function keyOf(
  { zones, page: _page, perPage: _perPage, ...query }: AssetQuery,
  { version }: KnownColours,
): string {
  return JSON.stringify([query, zones && [...zones], isByLooks(query) && version])
}

/** Whether it changes with what is found out about images; of an import that is many times a second. */
const isByLooks = ({ sort, attributes }: Pick<AssetQuery, 'sort' | 'attributes'>): boolean =>
  sort === 'dimensions' || attributes?.colour !== undefined || attributes?.hdr !== undefined
