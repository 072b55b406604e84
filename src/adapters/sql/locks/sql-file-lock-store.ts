import type { FileLock, FileLockStore, LockPage } from '../../../ports/content/file-lock-store.ts'
import type { Database } from '../database.ts'
import { fileLockOf, fileLockRowOf } from './file-lock-rows.ts'

/** Locks in a table, of which each path is a key. */
export class SqlFileLockStore implements FileLockStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(lock: FileLock): Promise<FileLock> {
    const row = await this.#database.transaction(async (transaction) => {
      await transaction
        .insertInto('file_locks')
        .values(fileLockRowOf(lock))
        .onConflict((conflict) => conflict.column('path').doNothing())
        .execute()
      return await transaction
        .selectFrom('file_locks')
        .selectAll()
        .where('path', '=', lock.path)
        .executeTakeFirstOrThrow()
    })
    return fileLockOf(row)
  }

  async find(id: string): Promise<FileLock | undefined> {
    const row = await this.#locks().where('id', '=', id).executeTakeFirst()
    return row && fileLockOf(row)
  }

  async findByPath(path: string): Promise<FileLock | undefined> {
    const row = await this.#locks().where('path', '=', path).executeTakeFirst()
    return row && fileLockOf(row)
  }

  async list({ after, zones, limit }: LockPage): Promise<readonly FileLock[]> {
    if (zones?.length === 0) return []
    let query = this.#locks().orderBy('path').limit(limit)
    if (after !== undefined) query = query.where('path', '>', after)
    if (zones !== undefined) query = query.where('zone', 'in', zones)
    return (await query.execute()).map(fileLockOf)
  }

  async count(zone: string): Promise<number> {
    const { count } = await this.#database.queries
      .selectFrom('file_locks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('zone', '=', zone)
      .executeTakeFirstOrThrow()
    return count
  }

  async remove(id: string): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const found = await transaction
        .selectFrom('file_locks')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
      await transaction.deleteFrom('file_locks').where('id', '=', id).execute()
      return found !== undefined
    })
  }

  #locks() {
    return this.#database.queries.selectFrom('file_locks').selectAll()
  }
}
