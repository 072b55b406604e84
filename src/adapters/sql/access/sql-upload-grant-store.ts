import type { Kysely, Transaction } from 'kysely'

import type { AuditRecord } from '../../../ports/records/audit.ts'
import type {
  AddedGrant,
  ListedUploadGrant,
  UploadGrantQuery,
  UploadGrantRecord,
  UploadGrantStore,
  UploadGrantUse,
} from '../../../ports/access/upload-grant-store.ts'
import { Announcements } from '../content/announcements.ts'
import { zonesExist } from '../content/zone-rows.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import { recordOf, rowOf, useOf } from './upload-grant-rows.ts'

/** Upload grants, in tables. */
export class SqlUploadGrantStore implements UploadGrantStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async add(grant: UploadGrantRecord, maxPerZone: number, audit: AuditRecord): Promise<AddedGrant> {
    return await this.#database.transaction(async (transaction) => {
      // In line with all others that add one, so that the count holds.
      await this.#announcements.lock(transaction)
      if (!(await zonesExist(transaction, [grant.zone]))) return 'no such zone'
      const { count } = await transaction
        .selectFrom('upload_grants')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('zone', '=', grant.zone)
        .where('expires_at', '>', grant.createdAt.getTime())
        .executeTakeFirstOrThrow()
      if (count >= maxPerZone) return 'too many'
      await transaction.insertInto('upload_grants').values(rowOf(grant)).execute()
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return 'added'
    })
  }

  async find(id: string): Promise<UploadGrantRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('upload_grants')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && recordOf(row)
  }

  async list({ zones, goodAt, offset, limit }: UploadGrantQuery) {
    if (zones?.length === 0) return { grants: [], count: 0 }
    const good = this.#database.queries
      .selectFrom('upload_grants')
      .where('expires_at', '>', goodAt.getTime())
      .$if(zones !== undefined, (all) => all.where('zone', 'in', [...(zones ?? [])]))
    const { count } = await good
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const rows = await good
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
    const uses = await countUses(
      this.#database.queries,
      rows.map(({ id }) => id),
    )
    const grants = rows.map((row): ListedUploadGrant => ({
      ...recordOf(row),
      openCount: uses.get(`${row.id} 0`) ?? 0,
      storedCount: uses.get(`${row.id} 1`) ?? 0,
    }))
    return { grants, count }
  }

  async remove(id: string, audit: AuditRecord): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('upload_grants')
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await transaction.deleteFrom('upload_grant_uses').where('grant_id', '=', id).execute()
      await this.#announcements.announce(transaction, { feed: [], audit: [audit] })
      return true
    })
  }

  async takeUse(grantId: string, uploadId: string): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const times = await lockGrant(transaction, grantId)
      if (times === undefined) return false
      const taken = await transaction
        .selectFrom('upload_grant_uses')
        .select('grant_id')
        .where('upload_id', '=', uploadId)
        .executeTakeFirst()
      if (taken !== undefined) return taken.grant_id === grantId
      const uses = await transaction
        .selectFrom('upload_grant_uses')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('grant_id', '=', grantId)
        .executeTakeFirstOrThrow()
      if (uses.count >= times) return false
      await transaction
        .insertInto('upload_grant_uses')
        .values({ upload_id: uploadId, grant_id: grantId, stored: 0 })
        .execute()
      return true
    })
  }

  async use(uploadId: string): Promise<UploadGrantUse | undefined> {
    const row = await this.#database.queries
      .selectFrom('upload_grant_uses')
      .selectAll()
      .where('upload_id', '=', uploadId)
      .executeTakeFirst()
    return row && useOf(row)
  }

  async noteStored(uploadId: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction
        .updateTable('upload_grant_uses')
        .set({ stored: 1 })
        .where('upload_id', '=', uploadId)
        .execute()
    })
  }

  async giveBack(uploadId: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('upload_grant_uses').where('upload_id', '=', uploadId).execute()
    })
  }

  async openUses(grantId?: string): Promise<readonly UploadGrantUse[]> {
    const rows = await this.#database.queries
      .selectFrom('upload_grant_uses')
      .selectAll()
      .where('stored', '=', 0)
      .$if(grantId !== undefined, (all) => all.where('grant_id', '=', grantId ?? ''))
      .execute()
    return rows.map(useOf)
  }

  async forgetExpired(before: Date): Promise<number> {
    return await this.#database.transaction(async (transaction) => {
      await transaction
        .deleteFrom('upload_grant_uses')
        .where('grant_id', 'in', (grants) =>
          grants
            .selectFrom('upload_grants')
            .select('id')
            .where('expires_at', '<', before.getTime()),
        )
        .execute()
      const { numDeletedRows } = await transaction
        .deleteFrom('upload_grants')
        .where('expires_at', '<', before.getTime())
        .executeTakeFirst()
      return Number(numDeletedRows)
    })
  }
}

/** How many uses the grant has; whoever else wants one waits from here on. `undefined` where it is gone. */
async function lockGrant(
  transaction: Transaction<Schema>,
  id: string,
): Promise<number | undefined> {
  const row = await transaction
    .updateTable('upload_grants')
    .set((grant) => ({ times: grant.ref('times') }))
    .where('id', '=', id)
    .returning('times')
    .executeTakeFirst()
  return row?.times
}

/** By the grant's id and whether they are stored. */
async function countUses(
  queries: Kysely<Schema>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('upload_grant_uses')
    .select(({ fn }) => ['grant_id', 'stored', fn.countAll<number>().as('count')])
    .where('grant_id', 'in', [...ids])
    .groupBy(['grant_id', 'stored'])
    .execute()
  return new Map(rows.map(({ grant_id: id, stored, count }) => [`${id} ${stored}`, count]))
}
