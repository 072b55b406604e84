import {
  type Change,
  type CommitRequest,
  type ContentStore,
  type Plan,
  UnfittingChangeError,
} from '../../ports/content/content-store.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'
import type { ChangeRequest, Committer } from '../content/committer.ts'
import { planWithoutErased } from '../content/erased-bytes.ts'
import { ServiceError } from '../errors.ts'
import { withRoom } from './room/held-room.ts'
import type { ZoneRoom } from './room/zone-room.ts'

interface Dependencies {
  readonly content: Pick<ContentStore, 'commit'>
  /** What is not taken in again; nothing where it is left out. */
  readonly erased?: Pick<Manifest, 'isErased'> | undefined
  /** A commit of this store that each of these merges. */
  readonly mergedId?: string | undefined
  /** What the audit log keeps of each besides. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Refuses changes that a zone does not let become live. */
  readonly requireFit?: ((changes: readonly Change[]) => Promise<void>) | undefined
  /** Where there is room for what becomes more; without end where it is left out. */
  readonly room?: ZoneRoom | undefined
  readonly now: () => Date
}

/** Asks a content store for commits, and says in words of the service why there is none. */
export function createCommitting(dependencies: Dependencies): Committer {
  const { content, erased = { isErased: () => false }, mergedId, requireFit, room } = dependencies
  return {
    async commit(change, plan) {
      const { credentialId: author, requestId } = change.actor
      const audit = auditOfChange(change, dependencies)
      const { subject, moves } = change
      const request: CommitRequest = {
        subject,
        author,
        requestId,
        audit,
        ...(mergedId !== undefined && { mergedId }),
        ...(moves !== undefined && moves.length > 0 && { moves }),
      }
      try {
        const fit = planWithoutErased(fitPlan(plan, requireFit), erased)
        return await withRoom(room, request, (held) => content.commit(request, held(fit)))
      } catch (cause) {
        throw asRefusal(cause)
      }
    },
  }
}

const fitPlan = (plan: Plan, requireFit: Dependencies['requireFit']): Plan =>
  requireFit === undefined
    ? plan
    : async (tree) => {
        const changes = await plan(tree)
        if (changes !== undefined) await requireFit(changes)
        return changes
      }

function auditOfChange(
  { action, target, actor, meta }: ChangeRequest,
  { meta: more, now }: Dependencies,
): AuditRecord {
  const { credentialId, ip, userAgent, requestId } = actor
  const all = { ...meta, ...more }
  return { at: now(), action, actor: credentialId, target, ip, userAgent, requestId, meta: all }
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
