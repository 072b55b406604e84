import type { Transaction } from 'kysely'

import {
  maxChallenges,
  type PasskeyChallenge,
  type PasskeyRecord,
  type PasskeyRemoval,
  type PasskeyStore,
} from '../../../ports/access/passkey-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import type { PasskeyChallengeTable, PasskeyTable } from './passkey-schema.ts'

/** Passkeys and their challenges, in tables. */
export class SqlPasskeyStore implements PasskeyStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async list(): Promise<readonly PasskeyRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('passkeys')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(recordOf)
  }

  async find(id: string): Promise<PasskeyRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('passkeys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async add(passkey: PasskeyRecord, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('passkeys')
        .values(rowOf(passkey))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return false
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async noteUse(id: string, counter: number, usedAt: Date): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('passkeys')
        .set({ counter, last_used_at: usedAt.getTime() })
        .where('id', '=', id)
        .where((row) => (counter === 0 ? row('counter', '=', 0) : row('counter', '<', counter)))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
  }

  async remove(
    id: string,
    audit: AuditRecord,
    { keepOne }: { keepOne: boolean },
  ): Promise<PasskeyRemoval> {
    return await this.#database.transaction(async (transaction) => {
      const rows = await transaction.selectFrom('passkeys').select(['id', 'person_id']).execute()
      const row = rows.find((each) => each.id === id)
      if (row === undefined) return 'absent'
      const operators = rows.filter((each) => each.person_id === null)
      if (keepOne && row.person_id === null && operators.length === 1) return 'last'
      await transaction.deleteFrom('passkeys').where('id', '=', id).execute()
      await transaction.deleteFrom('sessions').where('opened_with', '=', `passkey:${id}`).execute()
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return 'removed'
    })
  }

  async addChallenge(challenge: PasskeyChallenge, now: Date): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction
        .deleteFrom('passkey_challenges')
        .where('expires_at', '<=', now.getTime())
        .execute()
      await transaction.insertInto('passkey_challenges').values(challengeRowOf(challenge)).execute()
      await dropSurplus(transaction)
    })
  }

  async spendChallenge(challenge: PasskeyChallenge, now: Date): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      await transaction
        .deleteFrom('passkey_challenges')
        .where('expires_at', '<=', now.getTime())
        .execute()
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('passkey_challenges')
        .values(challengeRowOf(challenge))
        .onConflict((conflict) => conflict.column('challenge').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    })
  }

  async takeChallenge(challenge: string): Promise<PasskeyChallenge | undefined> {
    return await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .deleteFrom('passkey_challenges')
        .where('challenge', '=', challenge)
        .returningAll()
        .executeTakeFirst()
      return row && challengeOf(row)
    })
  }
}

async function dropSurplus(transaction: Transaction<Schema>): Promise<void> {
  const surplus = await transaction
    .selectFrom('passkey_challenges')
    .select('challenge')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .offset(maxChallenges)
    .executeTakeFirst()
  if (surplus !== undefined)
    await transaction
      .deleteFrom('passkey_challenges')
      .where('challenge', '=', surplus.challenge)
      .execute()
}

const rowOf = (passkey: PasskeyRecord): PasskeyTable => ({
  id: passkey.id,
  name: passkey.name,
  rp_id: passkey.rpId,
  public_key: passkey.publicKey,
  counter: passkey.counter,
  transports: JSON.stringify(passkey.transports),
  backed_up: passkey.isBackedUp ? 1 : 0,
  created_at: passkey.createdAt.getTime(),
  last_used_at: passkey.lastUsedAt?.getTime() ?? null,
  person_id: passkey.personId ?? null,
})

const recordOf = (row: PasskeyTable): PasskeyRecord => ({
  id: row.id,
  name: row.name,
  rpId: row.rp_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports) as readonly string[],
  isBackedUp: row.backed_up === 1,
  createdAt: new Date(row.created_at),
  lastUsedAt: row.last_used_at === null ? undefined : new Date(row.last_used_at),
  personId: row.person_id ?? undefined,
})

const challengeRowOf = (challenge: PasskeyChallenge): PasskeyChallengeTable => ({
  challenge: challenge.challenge,
  purpose: challenge.purpose,
  origin: challenge.origin,
  rp_id: challenge.rpId,
  asked_by: challenge.askedBy,
  expires_at: challenge.expiresAt.getTime(),
})

const challengeOf = (row: PasskeyChallengeTable): PasskeyChallenge => ({
  challenge: row.challenge,
  purpose: row.purpose,
  origin: row.origin,
  rpId: row.rp_id,
  askedBy: row.asked_by,
  expiresAt: new Date(row.expires_at),
})
