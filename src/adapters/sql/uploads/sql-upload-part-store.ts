import type {
  PartPage,
  UploadPart,
  UploadPartStore,
} from '../../../ports/content/upload-part-store.ts'
import type { Database } from '../database.ts'
import { uploadPartOf, uploadPartRowOf } from './upload-part-rows.ts'

/** The parts of uploads, a row each. */
export class SqlUploadPartStore implements UploadPartStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async put(uploadId: string, part: UploadPart): Promise<UploadPart | undefined> {
    const { upload_id, number, ...values } = uploadPartRowOf(uploadId, part)
    const former = await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('upload_parts')
        .selectAll()
        .where('upload_id', '=', upload_id)
        .where('number', '=', number)
        .executeTakeFirst()
      await transaction
        .insertInto('upload_parts')
        .values({ upload_id, number, ...values })
        .onConflict((conflict) => conflict.columns(['upload_id', 'number']).doUpdateSet(values))
        .execute()
      return row
    })
    return former && uploadPartOf(former)
  }

  async find(uploadId: string, number: number): Promise<UploadPart | undefined> {
    const row = await this.#parts(uploadId).where('number', '=', number).executeTakeFirst()
    return row && uploadPartOf(row)
  }

  async list(uploadId: string, { after, limit }: PartPage): Promise<readonly UploadPart[]> {
    const rows = await this.#parts(uploadId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(limit)
      .execute()
    return rows.map(uploadPartOf)
  }

  async removeAll(uploadId: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('upload_parts').where('upload_id', '=', uploadId).execute()
    })
  }

  #parts(uploadId: string) {
    return this.#database.queries
      .selectFrom('upload_parts')
      .selectAll()
      .where('upload_id', '=', uploadId)
  }
}
