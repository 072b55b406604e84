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
function* partsOf(publication: Publication, shown: Shown): Generator<Publication, void, undefined> {
  for (const zone of publication.removedZones ?? [])
    for (const some of slicesOf(shown.zoneFiles(zone)))
      yield { removedAssets: some.map(({ path }) => path), feed: [] }
  const { removedAssets = [], assets = [], feed: _told, ...rest } = publication
  yield { ...rest, feed: [] }
  for (const some of slicesOf(removedAssets)) yield { removedAssets: some, feed: [] }
  for (const some of slicesOf(assets)) yield { assets: some, feed: [] }
}

const assetCountOf = (
  { removedAssets = [], removedZones = [], assets = [] }: Publication,
  shown: Shown,
): number =>
  removedZones.reduce(
    (sum, zone) => sum + shown.zoneFiles(zone).length,
    removedAssets.length + assets.length,
  )

function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[], void, undefined> {
  for (let start = 0; start < items.length; start += assetsPerPart)
    yield items.slice(start, start + assetsPerPart)
}
