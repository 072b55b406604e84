import type { Transaction } from 'kysely'

import type {
  PreviewIdentity,
  PreviewNotice,
  PreviewPacks,
  PreviewStore,
} from '../../../ports/previews/preview-store.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import { Announcements } from '../content/announcements.ts'
import { textOf } from '../content/pack-rows.ts'
import { zonesExist } from '../content/zone-rows.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import { readPreviewPacks, readPreviews, removePreview, rowOf } from './preview-rows.ts'

/** The previews of zones, in a table. */
export class SqlPreviewStore implements PreviewStore {
  readonly #database: Database
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
  }

  async add(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    return await this.#change(notice, async (transaction) => {
      if (!(await zonesExist(transaction, [preview.zone]))) return false
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('previews')
        .values(rowOf(preview))
        .onConflict((conflict) => conflict.columns(['zone', 'name']).doNothing())
        .executeTakeFirstOrThrow()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    })
  }

  async replace(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    return await this.#change(notice, async (transaction) => {
      const { zone, name, created_at, created_by: _by, ...rest } = rowOf(preview)
      const { numUpdatedRows } = await transaction
        .updateTable('previews')
        .set({ ...rest, ...(notice.packs && { packs: textOf(notice.packs) }) })
        .where('zone', '=', zone)
        .where('name', '=', name)
        .where('created_at', '=', created_at)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    })
  }

  async remove(preview: PreviewIdentity, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    return await this.#change(notice, (transaction) => removePreview(transaction, preview))
  }

  async list(): Promise<readonly PreviewRecord[]> {
    return await readPreviews(this.#database.queries)
  }

  async packs(): Promise<readonly PreviewPacks[]> {
    return await readPreviewPacks(this.#database.queries)
  }

  async ofZones(zones: readonly string[]): Promise<readonly PreviewRecord[]> {
    return zones.length === 0 ? [] : await readPreviews(this.#database.queries, zones)
  }

  async #change(
    { feed, audit }: PreviewNotice,
    apply: (transaction: Transaction<Schema>) => Promise<boolean>,
  ): Promise<FeedEntry | undefined> {
    return await this.#database.transaction(async (transaction) => {
      await this.#announcements.lock(transaction)
      if (!(await apply(transaction))) return undefined
      const [entry] = await this.#announcements.announce(transaction, { feed: [feed], audit })
      return entry
    })
  }
}
