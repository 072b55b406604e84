import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import type { AssetsInOrder } from '../order/path-ranges.ts'
import { lowerBound } from '../order/ranks.ts'

/** An asset, or a directory that is an object of its own. */
export type PublishedObject =
  | { readonly kind: 'asset'; readonly path: string; readonly asset: AssetRecord }
  | { readonly kind: 'marker'; readonly path: string; readonly marker: DirectoryMarker }

/** A place among all objects, in byte order of their paths. Good until something is published. */
export interface ObjectCursor {
  /** `undefined` after the last. */
  current(): PublishedObject | undefined
  advance(): void
  /** Goes on to the first object whose path is not before `path`; never back. */
  seek(path: string): void
}

export function createObjectCursor(
  start: string,
  { assetCount, assetAt }: AssetsInOrder,
  markers: readonly DirectoryMarker[],
): ObjectCursor {
  let assetPlace = lowerBound(assetCount, (place) => isBefore(assetAt(place).path, start))
  let markerPlace = lowerBound(markers.length, (place) => isBefore(markers[place]!.path, start))

  function isMarkerNext(): boolean {
    const marker = markers[markerPlace]
    if (marker === undefined || assetPlace === assetCount) return marker !== undefined
    return isBefore(marker.path, assetAt(assetPlace).path)
  }

  return {
    current() {
      const marker = markers[markerPlace]
      if (marker !== undefined && isMarkerNext())
        return { kind: 'marker', path: marker.path, marker }
      if (assetPlace === assetCount) return undefined
      const asset = assetAt(assetPlace)
      return { kind: 'asset', path: asset.path, asset }
    },
    advance() {
      if (isMarkerNext()) markerPlace += 1
      else assetPlace += 1
    },
    seek(path) {
      assetPlace = seekFrom(assetPlace, assetCount, (place) => isBefore(assetAt(place).path, path))
      markerPlace = seekFrom(markerPlace, markers.length, (place) =>
        isBefore(markers[place]!.path, path),
      )
    },
  }
}

const isBefore = (path: string, text: string) => compareByBytes(path, text) < 0

/** As a binary search, and cheaper where what is sought is near. */
function seekFrom(start: number, end: number, comesBefore: (place: number) => boolean): number {
  let step = 1
  let low = start
  while (low < end && comesBefore(low)) {
    const next = low + step
    if (next >= end || !comesBefore(next)) {
      const high = Math.min(next, end)
      return low + 1 + lowerBound(high - low - 1, (place) => comesBefore(low + 1 + place))
    }
    low = next
    step *= 2
  }
  return low
}
