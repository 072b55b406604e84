import { setImmediate } from 'node:timers/promises'

import type { Publication } from '../../../ports/content/publication-store.ts'

/** To show so many assets takes milliseconds; requests are answered before the next. */
const assetsPerPart = 1_000
const manyAssets = 500

interface Shown {
  /** Lets others have turns while what was applied comes to its place in the order of paths, which all need. */
  ready(query: { readonly sort: 'path'; readonly order: 'asc' }): Promise<void>
  apply(publications: readonly Publication[]): void
  /** What is shown of a zone. */
  zoneFiles(zone: string): readonly { readonly path: string }[]
}

/** Has publications shown; where they are large in parts, so that whoever asks for another file does not wait. */
export async function showInParts(
  publications: readonly Publication[],
  shown: Shown,
): Promise<void> {
  const show = (some: readonly Publication[]) => shown.apply(some)
  const assetCount = publications.reduce((sum, each) => sum + assetCountOf(each, shown), 0)
  // Many have held everybody up while they were flushed.
  if (assetCount > manyAssets) await setImmediate()
  if (assetCount <= assetsPerPart) return show(publications)
  for (const publication of publications)
    for (const part of partsOf(publication, shown)) {
      show([part])
      await setImmediate()
      await shown.ready({ sort: 'path', order: 'asc' })
    }
}

/**
 * The same changes in smaller parts, to be shown one after another: what goes with zones and these, then what is
 * removed, then what is stored.
 */
function* partsOf(
  publication: Publication,
  shown: Pick<Shown, 'zoneFiles'>,
): Generator<Publication, void, undefined> {
  const { removedZones, removedAssets, assets, feed: _told, ...rest } = publication
  if (removedZones !== undefined) yield* assetPartsOf({ removedZones }, shown)
  yield { ...rest, ...(removedZones !== undefined && { removedZones }), feed: [] }
  yield* assetPartsOf({ ...(removedAssets && { removedAssets }), ...(assets && { assets }) }, shown)
}

type AssetChanges = Pick<Publication, 'removedZones' | 'removedAssets' | 'assets'>

/** What becomes of assets alone, in the order in which it has to be done. */
export function* assetPartsOf(
  { removedZones = [], removedAssets = [], assets = [] }: AssetChanges,
  shown: Pick<Shown, 'zoneFiles'>,
): Generator<Publication, void, undefined> {
  for (const zone of removedZones)
    for (const some of slicesOf(shown.zoneFiles(zone)))
      yield { removedAssets: some.map(({ path }) => path), feed: [] }
  for (const some of slicesOf(removedAssets)) yield { removedAssets: some, feed: [] }
  for (const some of slicesOf(assets)) yield { assets: some, feed: [] }
}

/** Of every asset that may become another. */
export function* changedPaths(
  publications: readonly Publication[],
  shown: Pick<Shown, 'zoneFiles'>,
): Generator<string, void, undefined> {
  for (const { removedZones = [], removedAssets = [], assets = [] } of publications) {
    for (const zone of removedZones) for (const { path } of shown.zoneFiles(zone)) yield path
    yield* removedAssets
    for (const { path } of assets) yield path
  }
}

export const assetCountOf = (
  { removedAssets = [], removedZones = [], assets = [] }: Publication,
  shown: Pick<Shown, 'zoneFiles'>,
): number =>
  removedZones.reduce(
    (sum, zone) => sum + shown.zoneFiles(zone).length,
    removedAssets.length + assets.length,
  )

function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[], void, undefined> {
  for (let start = 0; start < items.length; start += assetsPerPart)
    yield items.slice(start, start + assetsPerPart)
}
