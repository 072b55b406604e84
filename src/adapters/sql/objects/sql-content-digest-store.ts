import { sql } from 'kysely'

import type {
  ContentDigest,
  ContentDigestStore,
} from '../../../ports/objects/content-digest-store.ts'
import type { Database } from '../database.ts'
import { paddedLists } from '../row-lists.ts'
import { onConflict, RowWriter } from '../row-writer.ts'
import type { ContentDigestTable } from './content-digest-schema.ts'

export class SqlContentDigestStore implements ContentDigestStore {
  readonly #database: Database
  readonly #writer: RowWriter<ContentDigest>

  constructor(database: Database) {
    this.#database = database
    this.#writer = new RowWriter<ContentDigest>(database.queries, {
      table: 'content_digests',
      rowOf,
      onConflict: () => onConflict(['sha256'], keepingChecksum),
    })
  }

  async find(sha256s: readonly string[]): Promise<readonly ContentDigest[]> {
    const found: ContentDigest[] = []
    for (const list of paddedLists([...new Set(sha256s)])) {
      const rows = await this.#database.queries
        .selectFrom('content_digests')
        .selectAll()
        .where('sha256', 'in', list)
        .execute()
      found.push(...rows.map(digestOf))
    }
    return found
  }

  async save(digests: readonly ContentDigest[]): Promise<void> {
    if (digests.length === 0) return
    await this.#database.transaction((transaction) => this.#writer.execute(transaction, digests))
  }

  async remove(sha256: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('content_digests').where('sha256', '=', sha256).execute()
    })
  }
}

const keepingChecksum = (['checksum_algorithm', 'checksum'] as const).map(
  (name) =>
    sql`${sql.ref(name)} = coalesce(${sql.ref(`excluded.${name}`)}, ${sql.ref(`content_digests.${name}`)})`,
)

const rowOf = ({ sha256, md5, checksum }: ContentDigest): ContentDigestTable => ({
  sha256,
  md5,
  checksum_algorithm: checksum?.algorithm ?? null,
  checksum: checksum?.value ?? null,
})

const digestOf = (row: ContentDigestTable): ContentDigest => ({
  sha256: row.sha256,
  md5: row.md5,
  ...(row.checksum_algorithm !== null &&
    row.checksum !== null && {
      checksum: { algorithm: row.checksum_algorithm, value: row.checksum },
    }),
})
