import { type Kysely, sql } from 'kysely'

import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { PackedCommits, PackRecord } from '../../../ports/content/pack-ledger.ts'
import type { Schema } from '../schema.ts'

/** To be called in a transaction: these come one after another. */
export async function insertPacks(
  transaction: Kysely<Schema>,
  { after, commitId, packs }: PackedCommits,
): Promise<void> {
  await transaction
    .insertInto('repository_packs')
    .values({
      place: sql<number>`(select coalesce(max(place), 0) + 1 from repository_packs)`,
      after_commit: after ?? null,
      commit_id: commitId,
      packs: textOf(packs),
    })
    .execute()
  if (after === undefined)
    await transaction
      .deleteFrom('repository_packs')
      .where('place', '<', sql<number>`(select max(place) from repository_packs)`)
      .execute()
}

export const textOf = (packs: readonly BlobRef[]): string =>
  JSON.stringify(packs.map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes })))

interface PackRow {
  readonly place: number
  readonly after_commit: string | null
  readonly commit_id: string
  readonly packs: string
}

export const packRecordOf = ({ place, after_commit, commit_id, packs }: PackRow): PackRecord => ({
  place,
  after: after_commit ?? undefined,
  commitId: commit_id,
  packs: JSON.parse(packs) as readonly BlobRef[],
})
