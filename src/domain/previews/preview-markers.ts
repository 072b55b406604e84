import type { Commit, Tree } from '../../ports/content/content-store.ts'
import type { DirectoryMarker } from '../../ports/records/object-version.ts'
import { placeholderName } from '../content/asset-path.ts'
import { isMarkerBlob } from '../content/directory-marker.ts'
import { directoryOf } from '../publishing/translation/objects-of-commit.ts'

interface Differing {
  readonly zone: string
  readonly tree: Pick<Tree, 'find'>
  readonly commit: Pick<Commit, 'id' | 'committedAt'>
  /** Paths in the repository that the tree has otherwise than what is live. */
  readonly paths: readonly string[]
}

/** Directories that are objects of their own in a tree, by those of what is live and what differs from it. */
export async function markersOf(
  live: readonly DirectoryMarker[],
  { zone, tree, commit, paths }: Differing,
): Promise<readonly DirectoryMarker[]> {
  const markerByPath = new Map(live.map((marker) => [marker.path, marker]))
  for (const path of paths) {
    const directory = path.endsWith(`/${placeholderName}`) ? directoryOf(path) : undefined
    if (directory === undefined) continue
    const found = await tree.find(path)
    markerByPath.delete(directory)
    if (found?.kind !== 'file' || !isMarkerBlob(await found.blob())) continue
    const { id: commitId, committedAt: changedAt } = commit
    markerByPath.set(directory, { path: directory, zone, commitId, changedAt })
  }
  return [...markerByPath.values()]
}
