import type { AssetRecord } from '../../ports/records/asset.ts'
import type { DirectoryMarker } from '../../ports/records/object-version.ts'
import type { Publication } from '../../ports/content/publication-store.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import type { PublishedView } from './translation/publication-of.ts'

export interface PublishedOverlay extends PublishedView {
  apply(publication: Publication): void
}

/** `published` as it will be once the publications given to `apply` are in. */
export function createPublishedOverlay(published: PublishedView): PublishedOverlay {
  const assets = new Map<string, AssetRecord | undefined>()
  const markers = new Map<string, DirectoryMarker | undefined>()
  const zones = new Map<string, ZoneRecord | undefined>()
  /** Zones whose assets in `published` are those of a former life. */
  const emptiedZones = new Set<string>()

  function removeZone(name: string): void {
    zones.set(name, undefined)
    emptiedZones.add(name)
    for (const map of [assets, markers])
      for (const path of map.keys()) if (path.startsWith(`${name}/`)) map.delete(path)
  }

  const isEmptied = (path: string): boolean => emptiedZones.has(path.slice(0, path.indexOf('/')))

  return {
    asset(path) {
      if (assets.has(path)) return assets.get(path)
      return isEmptied(path) ? undefined : published.asset(path)
    },
    marker(path) {
      if (markers.has(path)) return markers.get(path)
      return isEmptied(path) ? undefined : published.marker(path)
    },
    zone: (name) => (zones.has(name) ? zones.get(name) : published.zone(name)),
    zoneFiles(name) {
      const isOfZone = ({ path }: AssetRecord) => path.startsWith(`${name}/`)
      const former = emptiedZones.has(name) ? [] : published.zoneFiles(name)
      return [
        ...former.filter(({ path }) => !assets.has(path)),
        ...[...assets.values()].filter((asset) => asset !== undefined).filter(isOfZone),
      ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
    },
    apply(publication) {
      publication.removedZones?.forEach(removeZone)
      publication.zones?.forEach((zone) => zones.set(zone.name, zone))
      publication.removedAssets?.forEach((path) => assets.set(path, undefined))
      publication.assets?.forEach((asset) => assets.set(asset.path, asset))
      publication.removedMarkers?.forEach((path) => markers.set(path, undefined))
      publication.markers?.forEach((marker) => markers.set(marker.path, marker))
    },
  }
}
