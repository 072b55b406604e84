import { type CommitRequest, UnfittingChangeError } from '../../ports/content/content-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { ChangeRequest, Committer } from '../content/committer.ts'
import { ServiceError } from '../errors.ts'
import { planWithoutErased } from '../content/erased-bytes.ts'
import { createBlobCheckpoints } from './blob-checkpoints.ts'
import { createProjections, type ProjectionDependencies } from './projections.ts'
import type { Revision } from './revisions.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'

/** The one way to write: a commit, then its publication, then the response. */
export interface Publisher extends Committer {
  /** Publishes what the repository has and the projections have not, then follows it. */
  start(): Promise<void>
  /** Tries again to publish what could not be published. */
  catchUp(): Promise<void>
  /** Makes the bytes of everything published survive a power cut by themselves. Cheap where they do. */
  checkpoint(): Promise<void>
  /** Makes every projection anew from the repository, announcing nothing. */
  rebuild(): Promise<void>
  /**
   * Publishes an asset whose file is as it was and of which more is known, unless `revise` wants no
   * change. It is given the newest record, and nothing is published in between.
   */
  revise(path: string, revise: Revision): Promise<void>
  /** Whether every commit is published, as far as this node knows. */
  readonly isCurrent: boolean
  /** The newest commit that is published. */
  readonly commitId: string | undefined
}

interface PublisherDependencies extends ProjectionDependencies {
  /** What is not taken in again; nothing where it is left out. */
  readonly erased?: Pick<Manifest, 'isErased'>
}

export function createPublisher(dependencies: PublisherDependencies): Publisher {
  const { content, store, now, erased = { isErased: () => false } } = dependencies
  const projections = createProjections(dependencies)
  const checkpoints = createBlobCheckpoints(dependencies)
  return {
    get isCurrent() {
      return projections.isCurrent
    },
    get commitId() {
      return projections.commitId
    },
    async commit(change, plan) {
      const { credentialId: author, requestId } = change.actor
      const audit = auditOfChange(change, now())
      const { subject, moves } = change
      const request: CommitRequest = {
        subject,
        author,
        requestId,
        audit,
        ...(moves !== undefined && moves.length > 0 && { moves }),
      }
      try {
        return await content.commit(request, planWithoutErased(plan, erased))
      } catch (cause) {
        throw asRefusal(cause)
      }
    },
    async start() {
      await checkpoints.restore((await store.position()).commitId)
      await projections.start()
      await checkpoints.advance(projections.commitId)
      content.follow((commits) => projections.follow(commits))
    },
    catchUp: () => projections.catchUp(),
    checkpoint: () => checkpoints.advance(projections.commitId),
    rebuild: () => projections.rebuild(),
    revise: (path, revise) => projections.revise(path, revise),
  }
}

function auditOfChange({ action, target, actor, meta = {} }: ChangeRequest, at: Date): AuditRecord {
  const { credentialId, ip, userAgent, requestId } = actor
  return { at, action, actor: credentialId, target, ip, userAgent, requestId, meta }
}

/** A plan's own refusal stays what it is; whatever else keeps a write from landing may pass. */
function asRefusal(cause: unknown): unknown {
  if (cause instanceof ServiceError) return cause
  // A plan looks at paths of assets; what is beside them may be in the way of what goes with them.
  if (cause instanceof UnfittingChangeError)
    return new ServiceError('PathConflict', cause.message, { target: 'path', cause })
  const message = isUnavailable(cause, 'content')
    ? 'The repository cannot take writes right now'
    : 'The write could not be completed'
  return new ServiceError('Unavailable', message, { cause })
}
