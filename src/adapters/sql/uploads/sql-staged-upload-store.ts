import type {
  OpenUploadPage,
  StagedUploadRecord,
  StagedUploadStore,
  UploadGroup,
} from '../../../ports/content/staged-upload-store.ts'
import type { Database } from '../database.ts'
import { stagedUploadOf, stagedUploadRowOf } from './staged-upload-rows.ts'

/** No text that begins with a prefix comes behind the prefix and this, as UTF-8 is ordered. */
const lastCharacter = '\u{10ffff}'

/** The records of uploads, in a table. */
export class SqlStagedUploadStore implements StagedUploadStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(record: StagedUploadRecord): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.insertInto('staged_uploads').values(stagedUploadRowOf(record)).execute()
    })
  }

  async find(id: string): Promise<StagedUploadRecord | undefined> {
    const row = await this.#database.queries
      .selectFrom('staged_uploads')
      .select('record')
      .where('id', '=', id)
      .executeTakeFirst()
    return row && stagedUploadOf(row)
  }

  async replace(record: StagedUploadRecord): Promise<void> {
    const { id, ...row } = stagedUploadRowOf(record)
    await this.#database.transaction(async (transaction) => {
      await transaction.updateTable('staged_uploads').set(row).where('id', '=', id).execute()
    })
  }

  async remove(id: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('staged_uploads').where('id', '=', id).execute()
    })
  }

  async countOpen(group: UploadGroup, now: Date): Promise<number> {
    const { count } = await this.#database.queries
      .selectFrom('staged_uploads')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('open', '=', 1)
      .where('expires_at', '>', now.getTime())
      .where((row) =>
        'zone' in group ? row('zone', '=', group.zone) : row('network', '=', group.network),
      )
      .executeTakeFirstOrThrow()
    return count
  }

  async openInParts(
    { zone, prefix, after, limit }: OpenUploadPage,
    now: Date,
  ): Promise<readonly StagedUploadRecord[]> {
    let query = this.#database.queries
      .selectFrom('staged_uploads')
      .select('record')
      .where('zone', '=', zone)
      .where('parted_path', '>=', prefix)
      .where('parted_path', '<=', `${prefix}${lastCharacter}`)
      .where('expires_at', '>', now.getTime())
    if (after !== undefined)
      query = query.where((row) =>
        row.or([
          row('parted_path', '>', after.path),
          row.and([row('parted_path', '=', after.path), row('id', '>', after.id)]),
        ]),
      )
    const rows = await query.orderBy('parted_path').orderBy('id').limit(limit).execute()
    return rows.map(stagedUploadOf)
  }

  async expiredBefore(time: Date, limit: number): Promise<readonly StagedUploadRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('staged_uploads')
      .select('record')
      .where('expires_at', '<', time.getTime())
      .orderBy('expires_at')
      .limit(limit)
      .execute()
    return rows.map(stagedUploadOf)
  }
}
