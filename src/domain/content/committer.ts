import type { Commit, Move, Plan } from '../../ports/content/content-store.ts'
import type { Actor } from '../access/actor.ts'

/** A change somebody asks for, with what the audit log keeps of it. */
export interface ChangeRequest {
  /** e.g. `storage.put`. */
  readonly action: string
  readonly target: string
  /** One line; the commit's subject. */
  readonly subject: string
  readonly actor: Actor
  readonly meta?: Readonly<Record<string, unknown>>
  /** What of its changes are moves. */
  readonly moves?: readonly Move[]
}

/** The one way to change content. */
export interface Committer {
  /**
   * Commits what the plan returns. When this resolves, the commit is durable, and catalogue, listings
   * and this node's edge show it. `undefined` where the plan wanted no change.
   */
  commit(request: ChangeRequest, plan: Plan): Promise<Commit | undefined>
}
