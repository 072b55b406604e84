import type { Transaction } from 'kysely'

import type {
  PeopleStore,
  PersonOutcome,
  PersonRecord,
  PersonUpdate,
} from '../../../ports/access/people-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { Announcements } from '../content/announcements.ts'
import { zonesExist } from '../content/zone-rows.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import {
  bumpPeopleVersion,
  endCredentials,
  personRowOf,
  readPeople,
  writeGrants,
} from './people-rows.ts'

/** People, in tables. */
export class SqlPeopleStore implements PeopleStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async version(): Promise<number> {
    const row = await this.#database.queries
      .selectFrom('people_version')
      .select('version')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    return row.version
  }

  async list(): Promise<readonly PersonRecord[]> {
    return await readPeople(this.#database.queries)
  }

  async add(person: PersonRecord, audit: AuditRecord): Promise<PersonOutcome> {
    return await this.#database.transaction(async (transaction) => {
      const refusal = await refusalOf(transaction, person)
      if (refusal !== undefined) return refusal
      await transaction.insertInto('people').values(personRowOf(person)).execute()
      await writeGrants(transaction, person)
      await bumpPeopleVersion(transaction)
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return 'done'
    })
  }

  async update(person: PersonRecord, { audit, ends }: PersonUpdate): Promise<PersonOutcome> {
    return await this.#database.transaction(async (transaction) => {
      const refusal = await refusalOf(transaction, person)
      if (refusal !== undefined) return refusal
      const { id, created_at: _, last_seen_at: __, ...row } = personRowOf(person)
      await transaction.updateTable('people').set(row).where('id', '=', id).execute()
      await writeGrants(transaction, person)
      if (ends !== 'nothing') await endCredentials(transaction, id, ends)
      await bumpPeopleVersion(transaction)
      await this.#announcements.announce(transaction, { feed: [], audit: [...audit] })
      return 'done'
    })
  }

  async noteSeen(lastSeenAtById: ReadonlyMap<string, Date>): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      for (const [id, seenAt] of lastSeenAtById) {
        const time = seenAt.getTime()
        await transaction
          .updateTable('people')
          .set({ last_seen_at: time })
          .where('id', '=', id)
          .where((row) => row.or([row('last_seen_at', 'is', null), row('last_seen_at', '<', time)]))
          .execute()
      }
    })
  }
}

async function refusalOf(
  transaction: Transaction<Schema>,
  { id, email, identity, grants }: PersonRecord,
): Promise<Exclude<PersonOutcome, 'done'> | undefined> {
  const others = transaction.selectFrom('people').select('id').where('id', '<>', id)
  const isTaken =
    (email !== undefined && (await others.where('email', '=', email).executeTakeFirst())) ||
    (identity !== undefined &&
      (await others
        .where('issuer', '=', identity.issuer)
        .where('subject', '=', identity.subject)
        .executeTakeFirst()))
  if (isTaken) return 'taken'
  const zones = [...new Set(grants.flatMap((grant) => grant.zones ?? []))]
  return (await zonesExist(transaction, zones)) ? undefined : 'no such zone'
}
