import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import { lowerBound } from '../order/ranks.ts'

/** Directories that are objects of their own, in byte order of their paths. */
export interface Markers {
  find(path: string): DirectoryMarker | undefined
  apply(publication: Publication): void
  clear(): void
  /** All of them. Read it before the next change. */
  inOrder(): readonly DirectoryMarker[]
}

/** So many are put into their places one by one; more are sorted anew. */
const fewChanges = 64

export function createMarkers(): Markers {
  const markerByPath = new Map<string, DirectoryMarker>()
  const changed = new Set<string>()
  let sorted: DirectoryMarker[] = []

  function place(path: string): void {
    const at = lowerBound(sorted.length, (each) => compareByBytes(sorted[each]!.path, path) < 0)
    const marker = markerByPath.get(path)
    const isThere = sorted[at]?.path === path
    sorted.splice(at, isThere ? 1 : 0, ...(marker === undefined ? [] : [marker]))
  }

  function remove(path: string): void {
    if (markerByPath.delete(path)) changed.add(path)
  }

  function removeZone(zone: string): void {
    for (const path of markerByPath.keys()) if (path.startsWith(`${zone}/`)) remove(path)
  }

  return {
    find: (path) => markerByPath.get(path),
    apply({ removedZones = [], removedMarkers = [], markers = [] }) {
      removedZones.forEach(removeZone)
      removedMarkers.forEach(remove)
      for (const marker of markers) {
        markerByPath.set(marker.path, marker)
        changed.add(marker.path)
      }
    },
    clear() {
      markerByPath.clear()
      changed.clear()
      sorted = []
    },
    inOrder() {
      if (changed.size > fewChanges)
        sorted = [...markerByPath.values()].sort((a, b) => compareByBytes(a.path, b.path))
      else changed.forEach(place)
      changed.clear()
      return sorted
    },
  }
}
