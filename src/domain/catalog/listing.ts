import type { AssetRecord } from '../../ports/records/asset.ts'
import { type AttributeFilter, attributesPass, type KnownColours } from './attributes.ts'
import { createCandidates } from './candidates.ts'
import type { Documents } from './columns/documents.ts'
import { grownTo } from './columns/grow-array.ts'
import { createKeptResults } from './kept-results.ts'
import { createMatcher, type AssetFilter } from './matcher.ts'
import type { PathRanges } from './order/path-ranges.ts'
import type { Terms } from './terms.ts'
import type { SortDirection, SortKey, SortOrders } from './order/sort-orders.ts'

export interface AssetQuery extends AssetFilter {
  readonly attributes?: AttributeFilter | undefined
  readonly sort: SortKey
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
  /** By document: whether it is in the result that is being made. */
  let isFound = new Uint8Array(0)
  let inOrder = new Uint32Array(0)

  function find(query: AssetQuery): Uint32Array {
    if (!isNarrowed(query)) return orders.read(query.sort, query.order)
    const key = `${colours.version} ${keyOf(query)}`
    return results.find(key) ?? search(query, key)
  }

  function search(query: AssetQuery, key: string): Uint32Array {
    const matched = matcher.match(candidatesOf(query), query)
    const passes = query.attributes && attributesPass(query.attributes, colours)
    const found = passes ? matched.filter((document) => passes(records[document]!)) : matched
    const sorted = found.length > fewAssets ? passOver(found, query) : sortFew(found, query)
    results.keep(key, sorted)
    return sorted
  }

  const sortFew = (found: Uint32Array, { sort, order }: AssetQuery) =>
    found.sort(orders.comparing(sort, order))

  /** `found` in the order, by going through all of it. A view: the next call replaces it. */
  function passOver(found: Uint32Array, { sort, order }: AssetQuery): Uint32Array {
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

  return {
    list(query) {
      const found = find(query)
      const start = (query.page - 1) * query.perPage
      return {
        items: Array.from(
          found.subarray(start, start + query.perPage),
          (document) => records[document]!,
        ),
        totalItems: found.length,
        totalPages: Math.max(1, Math.ceil(found.length / query.perPage)),
        page: query.page,
      }
    },
    forget: () => results.forget(),
  }
}

const isNarrowed = ({ project, category, format, words, zones, attributes }: AssetQuery) =>
  [project, category, format, zones, attributes].some((filter) => filter !== undefined) ||
  (words !== undefined && words.length > 0)

function keyOf({ zones, page: _page, perPage: _perPage, ...query }: AssetQuery): string {
  return JSON.stringify([query, zones && [...zones]])
}
