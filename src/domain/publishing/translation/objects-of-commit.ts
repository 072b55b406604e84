import type { Commit, Put } from '../../../ports/content/content-store.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type {
  DirectoryMarker,
  ObjectContent,
  ObjectVersion,
} from '../../../ports/records/object-version.ts'
import { clientsDirectory, isAssetPath, placeholderName } from '../../content/asset-path.ts'
import { isMarkerBlob, markerContent } from '../../content/directory-marker.ts'
import { contentOf } from '../../content/objects/object-content.ts'

/** What a commit makes of objects: assets, and the directories that are objects of their own. */
export interface ObjectsOfCommit {
  noteStored(asset: AssetRecord): void
  noteRemoved(path: string): void
  /** The placeholder of a directory is put: one byte makes the directory an object, anything else none. */
  notePlaceholder(put: Put): void
  notePlaceholderRemoved(path: string): void
  noteZoneRemoved(zone: string): void
  toPublish(): Pick<Publication, 'versions' | 'markers' | 'removedMarkers'>
}

interface PublishedMarkers {
  marker(path: string): DirectoryMarker | undefined
}

export function objectsOfCommit(commit: Commit, published: PublishedMarkers): ObjectsOfCommit {
  const versionByPath = new Map<string, ObjectVersion>()
  const markerByPath = new Map<string, DirectoryMarker>()
  const removedMarkers = new Set<string>()

  function note(path: string, content: ObjectContent | undefined): void {
    const { id: commitId, committedAt } = commit
    versionByPath.set(path, { path, commitId, committedAt, content })
  }

  function removeMarker(path: string | undefined): void {
    if (path === undefined || published.marker(path) === undefined) return
    markerByPath.delete(path)
    removedMarkers.add(path)
    note(path, undefined)
  }

  /** One that is there already stays what it is: nothing of it changes in git. */
  function addMarker(path: string): void {
    if (published.marker(path) !== undefined && !removedMarkers.has(path)) return
    const zone = path.slice(0, path.indexOf('/'))
    removedMarkers.delete(path)
    markerByPath.set(path, { path, zone, commitId: commit.id, changedAt: commit.committedAt })
    note(path, markerContent)
  }

  return {
    noteStored: (asset) => note(asset.path, contentOf(asset)),
    noteRemoved: (path) => note(path, undefined),
    notePlaceholder({ path, blob }) {
      const directory = directoryOf(path)
      if (!isMarkerBlob(blob)) removeMarker(directory)
      else if (directory !== undefined) addMarker(directory)
    },
    notePlaceholderRemoved: (path) => removeMarker(directoryOf(path)),
    noteZoneRemoved(zone) {
      for (const map of [versionByPath, markerByPath])
        for (const path of map.keys()) if (path.startsWith(`${zone}/`)) map.delete(path)
    },
    toPublish: () => ({
      versions: [...versionByPath.values()],
      markers: [...markerByPath.values()],
      removedMarkers: [...removedMarkers],
    }),
  }
}

/** The directory of a placeholder, as a marker has it; `undefined` where it can be no object. */
export function directoryOf(placeholder: string): string | undefined {
  const path = placeholder.slice(clientsDirectory.length + 1, -placeholderName.length - 1)
  return isAssetPath(path) ? `${path}/` : undefined
}
