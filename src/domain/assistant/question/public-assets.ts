import { setImmediate } from 'node:timers/promises'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { AssetQuery } from '../../catalog/listing.ts'
import type { KindSummary } from '../../catalog/zone-summaries.ts'
import type { SortDirection, SortKey } from '../../catalog/order/sort-orders.ts'
import { hasExpired } from '../../content/delivered/expiry.ts'
import { isPrivate } from '../../content/delivered/delivered-assets.ts'

/** Which assets somebody means. What is left out does not narrow. */
export interface AssetScope {
  readonly zone?: string | undefined
  readonly category?: string | undefined
  readonly formats?: readonly string[] | undefined
  /** Each must occur in the path. */
  readonly words?: readonly string[] | undefined
  /** The zones the caller may see. */
  readonly zones?: ReadonlySet<string> | undefined
}

export interface Sorting {
  readonly key: SortKey
  readonly order: SortDirection
}

/** What anybody may know of the catalogue: nothing private or expired, no zone that is shut. Exact, as of now. */
export interface PublicAssets {
  find(path: string, zones?: ReadonlySet<string>): AssetRecord | undefined
  isOpen(zone: string, zones?: ReadonlySet<string>): boolean
  count(scope: AssetScope): number
  /** Where words are looked for, others get their turn in between. */
  bytes(scope: AssetScope): Promise<number>
  /** The first `limit` in the order. */
  first(scope: AssetScope, sorting: Sorting, limit: number): readonly AssetRecord[]
  /** By name; those that have a public file. Words do not narrow these. */
  zones(scope: AssetScope): readonly string[]
  categories(scope: AssetScope): readonly string[]
  formats(scope: AssetScope): readonly string[]
}

type Published = Pick<Catalog, 'asset' | 'zone' | 'zones' | 'zoneSummary' | 'expiring' | 'list'>

const isDelivered = (zone: ZoneRecord | undefined): boolean =>
  zone?.enabled === true && !zone.suspended

const privateCategory = 'private'
const pageSize = 1_000

export function createPublicAssets(catalog: Published, now: () => Date): PublicAssets {
  const expiredIn = createExpired(catalog, now)
  const isOpen = (name: string, zones?: ReadonlySet<string>): boolean =>
    isDelivered(catalog.zone(name)) && (zones?.has(name) ?? true)

  const openZones = ({ zone, zones }: AssetScope): readonly string[] =>
    catalog
      .zones()
      .map(({ name }) => name)
      .filter((name) => (zone === undefined || name === zone) && isOpen(name, zones))

  /** The same as queries of the catalogue, one a format: their sum is the answer. */
  function queriesOf(scope: AssetScope, sorting: Sorting): readonly AssetQuery[] {
    const { zone, category, formats, words } = scope
    const zones = new Set(openZones(scope))
    const isSomeOver = [...zones].some((each) => expiredIn(each).length > 0)
    const query = {
      project: zone,
      category,
      words,
      zones,
      ...(isSomeOver && { attributes: { expired: { is: false, at: now() } } }),
      sort: sorting.key,
      order: sorting.order,
      page: 1,
      perPage: pageSize,
    }
    return formats === undefined ? [query] : formats.map((format) => ({ ...query, format }))
  }

  const kindsOf = (zone: string): readonly KindSummary[] =>
    expiredIn(zone).reduce(withoutAsset, catalog.zoneSummary(zone).kinds)

  /** What there is in the scope, words aside, as sums: nothing of it is gone through. */
  const kindsIn = (scope: AssetScope): readonly KindSummary[] =>
    openZones(scope).flatMap((zone) => kindsOf(zone).filter((kind) => isInScope(kind, scope)))

  return {
    isOpen,
    count(scope) {
      if (!hasWords(scope)) return sumOf(kindsIn(scope), ({ fileCount }) => fileCount)
      return sumOf(queriesOf(scope, byName), (query) => countOf(catalog, query))
    },
    find(path, zones) {
      const asset = catalog.asset(path)
      if (asset === undefined || isPrivate(asset) || hasExpired(asset, now())) return undefined
      return isOpen(asset.zone, zones) ? asset : undefined
    },
    async bytes(scope) {
      if (!hasWords(scope)) return sumOf(kindsIn(scope), ({ storageBytes }) => storageBytes)
      return await bytesOf(catalog, queriesOf(scope, byName))
    },
    first(scope, sorting, limit) {
      const heads = queriesOf(scope, sorting).map((query) =>
        assetsOf(catalog, { ...query, perPage: Math.max(50, limit) }).take(limit),
      )
      return heads
        .flatMap((head) => [...head])
        .toSorted(comparing(sorting))
        .slice(0, limit)
    },
    zones: (scope) =>
      openZones(scope).filter((zone) => kindsOf(zone).some((kind) => isInScope(kind, {}))),
    categories: (scope) => distinct(kindsIn(scope).map(({ category }) => category)),
    formats: (scope) => distinct(kindsIn(scope).map(({ format }) => format)),
  }
}

/** So few assets have a time that they are looked at each time. */
const createExpired =
  (catalog: Published, now: () => Date) =>
  (zone: string): readonly AssetRecord[] => {
    const at = now()
    return [...catalog.expiring(zone)].filter((asset) => hasExpired(asset, at))
  }

const withoutAsset = (
  kinds: readonly KindSummary[],
  { category, format, sizeBytes }: AssetRecord,
): readonly KindSummary[] =>
  kinds.flatMap((kind) => {
    if (kind.category !== category || kind.format !== format) return kind
    const { fileCount, storageBytes } = kind
    if (fileCount === 1) return []
    return { ...kind, fileCount: fileCount - 1, storageBytes: storageBytes - sizeBytes }
  })

const hasWords = ({ words = [] }: AssetScope): boolean => words.length > 0

const isInScope = (kind: KindSummary, { category, formats }: AssetScope): boolean =>
  kind.category !== privateCategory &&
  (category === undefined || kind.category === category) &&
  (formats === undefined || formats.includes(kind.format))

const sumOf = <T>(values: readonly T[], valueOf: (value: T) => number): number =>
  values.reduce((sum, value) => sum + valueOf(value), 0)

/** The same, with the names of what there is looked up once: for all that one conversation says. */
export function withNamesOnce(assets: PublicAssets, zones: AssetScope['zones']): PublicAssets {
  let categories: readonly string[] | undefined
  let formats: readonly string[] | undefined
  return {
    ...assets,
    categories: () => (categories ??= assets.categories({ zones })),
    formats: () => (formats ??= assets.formats({ zones })),
  }
}

function countOf(catalog: Published, query: AssetQuery): number {
  if (query.category === privateCategory) return 0
  const { totalItems } = catalog.list({ ...query, perPage: 1 })
  if (query.category !== undefined || totalItems === 0) return totalItems
  return totalItems - catalog.list({ ...query, category: privateCategory, perPage: 1 }).totalItems
}

/** Others get their turn after each page. */
async function bytesOf(catalog: Published, queries: readonly AssetQuery[]): Promise<number> {
  let sum = 0
  let passed = 0
  for (const query of queries)
    for (const { sizeBytes } of assetsOf(catalog, query)) {
      sum += sizeBytes
      passed += 1
      if (passed % pageSize === 0) await setImmediate()
    }
  return sum
}

function* assetsOf(catalog: Published, query: AssetQuery): Generator<AssetRecord, void> {
  for (let page = 1; ; page += 1) {
    const { items, totalPages } = catalog.list({ ...query, page })
    for (const asset of items) if (!isPrivate(asset)) yield asset
    if (page >= totalPages) return
  }
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted()

const byName: Sorting = { key: 'name', order: 'asc' }

const valueBy: Readonly<Record<SortKey, (asset: AssetRecord) => string | number>> = {
  name: ({ name }) => name,
  path: ({ path }) => path,
  size: ({ sizeBytes }) => sizeBytes,
  project: ({ zone }) => zone,
  category: ({ category }) => category,
  format: ({ format }) => format,
  date: ({ changedAt }) => changedAt.getTime(),
  created: ({ createdAt }) => createdAt.getTime(),
  title: ({ metadata, name }) => metadata?.title ?? name,
}

/** As the catalogue sorts: what is equal goes by path. */
function comparing({ key, order }: Sorting) {
  const value = valueBy[key]
  const sign = order === 'asc' ? 1 : -1
  return (a: AssetRecord, b: AssetRecord): number => {
    const [one, other] = [value(a), value(b)]
    if (one === other) return a.path < b.path ? -1 : 1
    return one < other ? -sign : sign
  }
}
