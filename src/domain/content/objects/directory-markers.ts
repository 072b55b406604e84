import type { Change, ContentStore, Tree } from '../../../ports/content/content-store.ts'
import type { ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { zoneNotFound, zoneSuspended } from '../../errors.ts'
import type { Committer } from '../committer.ts'
import { refuseConflicts, requireWritableZone } from '../write-guards.ts'
import { markerBytes } from '../directory-marker.ts'
import { readSidecar } from '../metadata/stored-sidecar.ts'
import {
  type MarkerPlace,
  pathOfPlace,
  placeholderOf,
  placeInRepository,
  zoneOfPlace,
} from './object-place.ts'
import { objectChanges, type ObjectWords } from './object-sidecar.ts'

/** Directories that clients of S3 put by themselves. No byte is in them, and no edge sees them. */
export interface DirectoryMarkers {
  /** Answers the commit, or `undefined` where it is there already: what is said of it is no version. */
  put(put: MarkerPut, actor: Actor): Promise<string | undefined>
  /** What is said now of one that is there. */
  said(place: MarkerPlace): Promise<ObjectMetadata | undefined>
}

export interface MarkerPut {
  readonly place: MarkerPlace
  /** What is said of it from then on, by what was said before; of one that is new, nothing. */
  readonly words: (former: ObjectWords) => ObjectWords
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'at' | 'head'>
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
}

export const createDirectoryMarkers = (dependencies: Dependencies): DirectoryMarkers => ({
  async put({ place, words }, actor) {
    const { published, publisher } = dependencies
    const zone = zoneOfPlace(place)
    requireZone(actor, zone)
    const found = published.zone(zone)
    if (found === undefined) throw zoneNotFound(zone)
    if (found.suspended) throw zoneSuspended(zone)
    const target = pathOfPlace(place)
    let isOld = false
    const commit = await publisher.commit(
      { action: 'storage.put', target, subject: `Put ${target}`, actor },
      async (tree) => {
        await requireWritableZone(tree, zone)
        await refuseConflicts(tree, placeholderOf(place))
        isOld = await isThere(place, tree)
        return await changesOf(tree, { place, words, isOld })
      },
    )
    return isOld ? undefined : commit?.id
  },
  async said(place) {
    const { content } = dependencies
    const head = await content.head()
    const tree = head === undefined ? undefined : await content.at(head)
    return tree && (await markerMetadata(tree, place))
  },
})

async function changesOf(
  tree: Tree,
  { place, words, isOld }: MarkerPut & { readonly isOld: boolean },
): Promise<readonly Change[] | undefined> {
  const former = isOld ? await markerMetadata(tree, place) : undefined
  const { sha256 } = markerContent.blob
  const { sha256: _, ...said } = former ?? {}
  const beside = await objectChanges(tree, placeholderOf(place), { ...words(said), sha256 })
  if (isOld) return beside.length === 0 ? undefined : beside
  return [{ kind: 'put', path: placeInRepository(place), ...markerContent }, ...beside]
}

/** What a commit has said of a marker, in the file beside its placeholder. */
export async function markerMetadata(
  tree: Tree,
  place: MarkerPlace,
): Promise<ObjectMetadata | undefined> {
  const { object } = (await readSidecar(tree, placeholderOf(place))).metadata
  return object?.sha256 === markerContent.blob.sha256 ? object : undefined
}

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
