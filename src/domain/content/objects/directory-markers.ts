import type { Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { zoneNotFound, zoneSuspended } from '../../errors.ts'
import { type AssetPath, placeholderName } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { refuseConflicts, requireWritableZone } from '../write-guards.ts'
import { markerBytes } from '../directory-marker.ts'
import { type MarkerPlace, placeInRepository, zoneOfPlace } from './object-place.ts'

/** Directories that clients of S3 put by themselves. No byte is in them, and no edge sees them. */
export interface DirectoryMarkers {
  /** Answers the commit, or `undefined` where it is there already. */
  put(place: MarkerPlace, actor: Actor): Promise<string | undefined>
}

interface Dependencies {
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
}

export const createDirectoryMarkers = (dependencies: Dependencies): DirectoryMarkers => ({
  async put(place, actor) {
    const { published, publisher } = dependencies
    const zone = zoneOfPlace(place)
    requireZone(actor, zone)
    const found = published.zone(zone)
    if (found === undefined) throw zoneNotFound(zone)
    if (found.suspended) throw zoneSuspended(zone)
    const target = `${place.directory}/`
    const commit = await publisher.commit(
      { action: 'storage.put', target, subject: `Put ${target}`, actor },
      async (tree) => {
        await requireWritableZone(tree, zone)
        await refuseConflicts(tree, `${place.directory}/${placeholderName}` as AssetPath)
        if (await isThere(place, tree)) return undefined
        return [{ kind: 'put', path: placeInRepository(place), ...markerContent }]
      },
    )
    return commit?.id
  },
})

/** An empty placeholder keeps a directory of the service's own, and is no marker. */
async function isThere(place: MarkerPlace, tree: Pick<Tree, 'find'>): Promise<boolean> {
  const found = await tree.find(placeInRepository(place))
  return found?.kind === 'file' && (await found.blob()).sizeBytes > 0
}

const markerContent = {
  blob: {
    sha256: '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b',
    sizeBytes: 1,
  },
  bytes: markerBytes,
} as const
