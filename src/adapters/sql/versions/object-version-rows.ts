import type { Kysely, Transaction } from 'kysely'

import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { ObjectVersionTable } from './object-version-schema.ts'

/** A version and its place: of a path the newer one has the smaller rank. */
export interface RankedVersion {
  readonly version: ObjectVersion
  readonly rank: number
}

export const createRankedVersionWriter = (queries: Kysely<Schema>): RowWriter<RankedVersion> =>
  new RowWriter<RankedVersion>(queries, { table: 'object_versions', rowOf })

/** Writes versions that are newer than all that are there. */
export function createVersionWriter(queries: Kysely<Schema>) {
  const writer = createRankedVersionWriter(queries)
  /** Asked at every publication, so built once. Its parameters: how many numbers, and the row. */
  const takeNumbers = queries
    .updateTable('position')
    .set((row) => ({ version_number: row('version_number', '+', 0) }))
    .where('id', '=', onlyRow)
    .returning('version_number')
    .compile()
  return {
    async execute(
      transaction: Transaction<Schema>,
      versions: readonly ObjectVersion[],
    ): Promise<void> {
      if (versions.length === 0) return
      const parameters = [versions.length, onlyRow]
      const { rows } = await transaction.executeQuery<LastNumber>({ ...takeNumbers, parameters })
      const [last] = rows
      if (last === undefined) throw new Error('The position has no row')
      const before = last.version_number - versions.length
      await writer.execute(
        transaction,
        versions.map((version, place) => ({ version, rank: -(before + place + 1) })),
      )
    },
  }
}

interface LastNumber {
  readonly version_number: number
}

const onlyRow = 1

const rowOf = ({ version, rank }: RankedVersion): ObjectVersionTable => ({
  path: version.path,
  age_rank: rank,
  commit_id: version.commitId,
  committed_at: version.committedAt.getTime(),
  sha256: version.content?.sha256 ?? null,
  size_bytes: version.content?.sizeBytes ?? 0,
  content_type: version.content?.contentType ?? null,
  entity_tag: version.content?.entityTag ?? null,
})

export const objectVersionOf = (row: ObjectVersionTable): ObjectVersion => ({
  path: row.path,
  commitId: row.commit_id,
  committedAt: new Date(row.committed_at),
  content:
    row.sha256 === null
      ? undefined
      : {
          sha256: row.sha256,
          sizeBytes: row.size_bytes,
          contentType: row.content_type ?? '',
          ...(row.entity_tag !== null && { entityTag: row.entity_tag }),
        },
})
