import type { Change } from '../../ports/content/content-store.ts'
import type { BoundDelivery } from '../../ports/records/zone.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { Committer } from '../content/committer.ts'
import { createBlobCheckpoints } from './blob-checkpoints.ts'
import { createCommitting } from './committing.ts'
import { createProjections, type ProjectionDependencies } from './projections.ts'
import type { Revision } from './revisions.ts'
import type { ZoneRoom } from './room/zone-room.ts'

/** The one way to write: a commit, then its publication, then the response. */
export interface Publisher extends Committer {
  /** Publishes what the repository has and the projections have not, then follows it. */
  start(): Promise<void>
  /** Tries again to publish what could not be published. */
  catchUp(): Promise<void>
  /** Makes the bytes of everything published survive a power cut by themselves. Cheap where they do. */
  checkpoint(): Promise<void>
  /** Records what the newest published commit is called now, after commits were written anew. */
  renamed(): Promise<void>
  /** Makes every projection anew from the repository, announcing nothing. */
  rebuild(): Promise<void>
  /**
   * Publishes an asset whose file is as it was and of which more is known, unless `revise` wants no
   * change. It is given the newest record, and nothing is published in between.
   */
  revise(path: string, revise: Revision): Promise<void>
  /** Publishes how much of a zone is delivered from now on; all of it where `undefined`. */
  setDelivery(zone: string, delivery: BoundDelivery | undefined): Promise<void>
  /** Whether every commit is published, as far as this node knows. */
  readonly isCurrent: boolean
  /** The newest commit that is published. */
  readonly commitId: string | undefined
}

interface PublisherDependencies extends ProjectionDependencies {
  /** What is not taken in again; nothing where it is left out. */
  readonly erased?: Pick<Manifest, 'isErased'>
  /** Refuses changes that a zone does not let become live. */
  readonly requireFit?: (changes: readonly Change[]) => Promise<void>
  /** See {@link createCommitting}. */
  readonly room?: ZoneRoom
}

export function createPublisher(dependencies: PublisherDependencies): Publisher {
  const { content, store } = dependencies
  const committing = createCommitting(dependencies)
  const projections = createProjections(dependencies)
  const checkpoints = createBlobCheckpoints(dependencies)
  return {
    get isCurrent() {
      return projections.isCurrent
    },
    get commitId() {
      return projections.commitId
    },
    commit: (change, plan) => committing.commit(change, plan),
    async start() {
      await checkpoints.restore((await store.position()).commitId)
      await projections.start()
      await checkpoints.advance(projections.commitId)
      content.follow((commits) => projections.follow(commits))
    },
    catchUp: () => projections.catchUp(),
    checkpoint: () => checkpoints.advance(projections.commitId),
    renamed: () => projections.renamed(),
    rebuild: () => projections.rebuild(),
    revise: (path, revise) => projections.revise(path, revise),
    setDelivery: (zone, delivery) => projections.setDelivery(zone, delivery),
  }
}
