import type { Change, Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { zoneNotFound, zoneSuspended } from '../../errors.ts'
import { standardDirectories } from '../asset-path.ts'
import type { ChangeRequest, Committer } from '../committer.ts'
import type { Precondition } from '../files/files.ts'
import { sidecarRemoval } from '../metadata/sidecar-paths.ts'
import { requireWritableZone } from '../write-guards.ts'
import { type ObjectPlace, pathOfPlace, placeholderOf, placeInRepository } from './object-place.ts'

export interface ObjectRemoval {
  readonly place: ObjectPlace
  readonly precondition?: Precondition | undefined
}

/** What became of one of them: another than the precondition wants stays. */
export type RemovalOutcome = 'removed' | 'absent' | 'kept'

export interface RemovedObjects {
  /** One for each, in their order. */
  readonly outcomes: readonly RemovalOutcome[]
  /** Absent where none was there. */
  readonly commitId: string | undefined
}

/** Takes objects of a zone away. What is not there is no fault. */
export interface ObjectRemovals {
  /** All in one commit; each place once. */
  remove(zone: string, removals: readonly ObjectRemoval[], actor: Actor): Promise<RemovedObjects>
}

interface Dependencies {
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
}

export const createObjectRemovals = ({ published, publisher }: Dependencies): ObjectRemovals => ({
  async remove(zone, removals, actor) {
    requireZone(actor, zone)
    const found = published.zone(zone)
    if (found === undefined) throw zoneNotFound(zone)
    if (found.suspended) throw zoneSuspended(zone)
    let planned: readonly PlannedRemoval[] = []
    const commit = await publisher.commit({ ...deedOf(zone, removals), actor }, async (tree) => {
      await requireWritableZone(tree, zone)
      planned = await Promise.all(removals.map((removal) => planRemoval(tree, removal)))
      return planned.flatMap(({ changes }) => changes)
    })
    return { outcomes: planned.map(({ outcome }) => outcome), commitId: commit?.id }
  },
})

interface PlannedRemoval {
  readonly outcome: RemovalOutcome
  readonly changes: readonly Change[]
}

async function planRemoval(
  tree: Tree,
  { place, precondition }: ObjectRemoval,
): Promise<PlannedRemoval> {
  const path = placeInRepository(place)
  const found = await tree.find(path)
  const isThere =
    found?.kind === 'file' && (place.kind === 'asset' || (await found.blob()).sizeBytes > 0)
  if (!isThere) return { outcome: 'absent', changes: [] }
  if (precondition && !precondition((await found.blob()).sha256))
    return { outcome: 'kept', changes: [] }
  const removed: Change =
    place.kind === 'marker' ? removedMarker(place, path) : { kind: 'delete', path }
  const described = place.kind === 'marker' ? placeholderOf(place) : place.path
  const changes = [removed, ...(await sidecarRemoval(tree, described))]
  return { outcome: 'removed', changes }
}

/** The directories that each zone begins with stay, as the service's own. */
function removedMarker({ directory }: { readonly directory: string }, path: string): Change {
  const [, , name = '', ...below] = directory.split('/')
  const isStandard = below.length === 0 && standardDirectories.some((each) => each === name)
  return isStandard ? { kind: 'put', path, ...noBytes } : { kind: 'delete', path }
}

const noBytes = {
  blob: {
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    sizeBytes: 0,
  },
  bytes: new Uint8Array(),
} as const

type Deed = Pick<ChangeRequest, 'action' | 'target' | 'subject' | 'meta'>

const maxNamed = 1000

/** How the commit and the audit log name it. */
function deedOf(zone: string, removals: readonly ObjectRemoval[]): Deed {
  const paths = removals.map(({ place }) => pathOfPlace(place))
  const [path] = paths
  return paths.length === 1 && path !== undefined
    ? { action: 'storage.delete', target: path, subject: `Delete ${path}` }
    : {
        action: 'storage.delete',
        target: zone,
        subject: `Delete ${paths.length} objects of ${zone}`,
        meta: { paths: paths.slice(0, maxNamed) },
      }
}
