import type { AuditRecord } from '../../../ports/records/audit.ts'
import type {
  SessionProgress,
  SessionRecord,
  SessionStore,
} from '../../../ports/access/session-store.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import type { SessionTable } from '../schema.ts'

/** Sessions, in a table. */
export class SqlSessionStore implements SessionStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async add(session: SessionRecord, audit: AuditRecord): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.insertInto('sessions').values(rowOf(session)).execute()
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
    })
  }

  async find(id: string): Promise<SessionRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async list(): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('sessions')
      .selectAll()
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(recordOf)
  }

  async advance(progress: SessionProgress): Promise<void> {
    const { id, turn } = progress
    const [turnedAt, lastSeenAt, expiresAt] = [
      progress.turnedAt.getTime(),
      progress.lastSeenAt.getTime(),
      progress.expiresAt.getTime(),
    ]
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ turn, turned_at: turnedAt })
        .where('id', '=', id)
        .where('turn', '<', turn)
        .execute()
      await transaction
        .updateTable('sessions')
        .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
        .where('id', '=', id)
        .where('last_seen_at', '<', lastSeenAt)
        .execute()
    })
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('sessions')
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async forgetExpired(time: Date): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.deleteFrom('sessions').where('expires_at', '<', time.getTime()).execute(),
    )
  }
}

const rowOf = (session: SessionRecord): SessionTable => ({
  id: session.id,
  opened_with: session.openedWith,
  turn: session.turn,
  turned_at: session.turnedAt.getTime(),
  created_at: session.createdAt.getTime(),
  last_seen_at: session.lastSeenAt.getTime(),
  expires_at: session.expiresAt.getTime(),
  ip: session.ip,
  user_agent: session.userAgent ?? null,
  person_id: session.personId ?? null,
})

const recordOf = (row: SessionTable): SessionRecord => ({
  id: row.id,
  openedWith: row.opened_with,
  turn: row.turn,
  turnedAt: new Date(row.turned_at),
  createdAt: new Date(row.created_at),
  lastSeenAt: new Date(row.last_seen_at),
  expiresAt: new Date(row.expires_at),
  ip: row.ip,
  userAgent: row.user_agent ?? undefined,
  personId: row.person_id ?? undefined,
})
