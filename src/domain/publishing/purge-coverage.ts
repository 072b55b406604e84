import type { Catalog } from '../catalog/catalog.ts'
import { parseAssetPath } from '../content/asset-path.ts'
import { asTag } from '../content/delivered/surrogate-tags.ts'
import type { PurgeTarget } from './purges.ts'

/** What one URL or tag of a purge is about. */
export interface Coverage {
  readonly item: string
  /** Whether there is anything it could mean; `undefined` where nothing can tell. */
  readonly exists: boolean | undefined
  /** How many assets it means; `undefined` where that is not known beforehand. */
  readonly assets: number | undefined
}

type Known = Pick<Catalog, 'all' | 'asset' | 'zone' | 'zones' | 'zoneSummary' | 'list' | 'ruleFile'>

/** Says what a purge would cover, before anybody makes it. Forgets nothing and costs nothing of the day's. */
export const coverageOf = (target: PurgeTarget, catalog: Known): readonly Coverage[] => {
  if (target.kind === 'urls') return target.urls.map((url) => ofUrl(url, catalog))
  if (target.kind === 'tags') return target.tags.map((tag) => ofTag(tag, catalog))
  return []
}

/** All that is stored. */
export const assetCount = (catalog: Pick<Known, 'zones' | 'zoneSummary'>): number =>
  sum(catalog.zones().map(({ name }) => catalog.zoneSummary(name).fileCount))

function ofUrl(item: string, catalog: Known): Coverage {
  const { pathname = '' } = URL.parse(item, 'http://any.invalid') ?? {}
  // What the interface makes is kept under URLs that say much besides the asset.
  if (pathname.startsWith('/api/')) return { item, exists: undefined, assets: undefined }
  const assets = isAsset(pathname, catalog) ? 1 : 0
  return { item, exists: assets > 0, assets }
}

function isAsset(encoded: string, catalog: Known): boolean {
  try {
    return catalog.asset(parseAssetPath(decodeURIComponent(encoded))) !== undefined
  } catch {
    return false
  }
}

function ofTag(item: string, catalog: Known): Coverage {
  const [, kind = '', name = ''] = /^([a-z]+)-(.+)$/u.exec(item.toLowerCase()) ?? []
  const ofKind = Object.hasOwn(byKind, kind) ? byKind[kind] : undefined
  return (ofKind ?? ofRule)({ item, name }, catalog)
}

interface Tag {
  readonly item: string
  /** What follows the kind, in lower case. */
  readonly name: string
}

type OfTag = (tag: Tag, catalog: Known) => Coverage

const ofZone: OfTag = ({ item, name }, catalog) => ({
  item,
  exists: catalog.zone(name) !== undefined,
  assets: catalog.zoneSummary(name).fileCount,
})

const ofCategory: OfTag = ({ item, name }, catalog) =>
  counted(item, assetsWith('category', name, catalog))

/** The kinds of tags that every asset has. */
const byKind: Readonly<Record<string, OfTag>> = {
  zone: ofZone,
  project: ofZone,
  category: ofCategory,
  type: ofCategory,
  format: ({ item, name }, catalog) => counted(item, assetsWith('format', name, catalog)),
  // Nothing finds an asset by the beginning of its SHA-256.
  asset: ({ item }) => ({ item, exists: undefined, assets: undefined }),
  all: ({ item, name }, catalog) =>
    name === 'assets' ? counted(item, assetCount(catalog)) : ofRule({ item, name }, catalog),
}

const counted = (item: string, assets: number): Coverage => ({ item, exists: assets > 0, assets })

/** A tag spells what it is of without what a tag may not hold: several may be spelled the same. */
function assetsWith(field: 'category' | 'format', tagged: string, catalog: Known): number {
  const all = { category: 'categories', format: 'formats' } as const
  const values = new Set(
    catalog.zones().flatMap(({ name }) => catalog.zoneSummary(name)[all[field]]),
  )
  const meant = [...values].filter(
    (value) => asTag(`${field}-${value}`).toLowerCase() === `${field}-${tagged}`,
  )
  const found = meant.map((value) =>
    catalog.list({ [field]: value, sort: 'path', order: 'asc', page: 1, perPage: 1 }),
  )
  return sum(found.map(({ totalItems }) => totalItems))
}

/** Besides those of assets there are the tags that header rules add, to whatever they are for. */
function ofRule({ item }: Tag, catalog: Known): Coverage {
  const files = [catalog.ruleFile('_headers'), ...catalog.zones().map(({ headers }) => headers)]
  const tag = item.toLowerCase()
  const exists = files.some(
    (text) =>
      text
        ?.toLowerCase()
        .split(/[\s,]+/u)
        .includes(tag) === true,
  )
  return { item, exists, assets: undefined }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
