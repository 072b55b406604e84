import type { AuditRecord } from '../../../ports/records/audit.ts'
import type {
  SessionProgress,
  SessionRecord,
  SessionStore,
} from '../../../ports/access/session-store.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A SessionStore for tests and demos. */
export class MemorySessionStore implements SessionStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async add(session: SessionRecord, audit: AuditRecord): Promise<void> {
    this.#database.sessionById.set(session.id, structuredClone(session))
    this.#database.announce([], [audit])
  }

  async find(id: string): Promise<SessionRecord | undefined> {
    return this.#database.sessionById.get(id)
  }

  async list(): Promise<readonly SessionRecord[]> {
    return [...this.#database.sessionById.values()].toSorted(
      (a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime() || byBytes(a.id, b.id),
    )
  }

  async advance({ id, turn, turnedAt, lastSeenAt, expiresAt }: SessionProgress): Promise<void> {
    const { sessionById } = this.#database
    const known = sessionById.get(id)
    if (known === undefined) return
    sessionById.set(id, {
      ...known,
      ...(turn > known.turn && { turn, turnedAt }),
      ...(lastSeenAt > known.lastSeenAt && { lastSeenAt, expiresAt }),
    })
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    if (!this.#database.sessionById.delete(id)) return false
    this.#database.announce([], [audit])
    return true
  }

  async forgetExpired(time: Date): Promise<void> {
    const { sessionById } = this.#database
    for (const [id, { expiresAt }] of sessionById) if (expiresAt < time) sessionById.delete(id)
  }
}
