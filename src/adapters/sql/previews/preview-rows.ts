import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'

import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { PreviewIdentity, PreviewPacks } from '../../../ports/previews/preview-store.ts'
import type { PreviewKey, PreviewRecord } from '../../../ports/records/preview.ts'
import type { Schema } from '../schema.ts'
import type { PreviewTable } from './preview-schema.ts'

export async function readPreviews(
  queries: Kysely<Schema>,
  zones?: readonly string[],
): Promise<readonly PreviewRecord[]> {
  const all = queries.selectFrom('previews').selectAll().orderBy('zone').orderBy('name')
  const rows = await (zones === undefined ? all : all.where('zone', 'in', [...zones])).execute()
  return rows.map(recordOf)
}

export async function readPreviewPacks(queries: Kysely<Schema>): Promise<readonly PreviewPacks[]> {
  const rows = await queries
    .selectFrom('previews')
    .select(['zone', 'name', 'head_commit', 'packs'])
    .orderBy('zone')
    .orderBy('name')
    .execute()
  return rows.map(({ zone, name, head_commit: headCommitId, packs }) => ({
    zone,
    name,
    headCommitId,
    packs: JSON.parse(packs) as readonly BlobRef[],
  }))
}

/** Takes the place of whatever has the name. */
export async function writePreview(
  transaction: Transaction<Schema>,
  preview: PreviewRecord,
): Promise<void> {
  const row = rowOf(preview)
  await transaction
    .insertInto('previews')
    .values(row)
    .onConflict((conflict) => conflict.columns(['zone', 'name']).doUpdateSet(row))
    .execute()
}

export async function removePreview(
  transaction: Transaction<Schema>,
  { zone, name, createdAt }: PreviewKey & Partial<PreviewIdentity>,
): Promise<boolean> {
  const named = transaction.deleteFrom('previews').where('zone', '=', zone).where('name', '=', name)
  const { numDeletedRows } = await (
    createdAt === undefined ? named : named.where('created_at', '=', createdAt.getTime())
  ).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const rowOf = (preview: PreviewRecord): Insertable<PreviewTable> => ({
  zone: preview.zone,
  name: preview.name,
  base_commit: preview.baseCommitId,
  head_commit: preview.headCommitId,
  created_at: preview.createdAt.getTime(),
  changed_at: preview.changedAt.getTime(),
  expires_at: preview.expiresAt.getTime(),
  own_expiry: preview.hasOwnExpiry ? 1 : 0,
  signed: preview.isSigned ? 1 : 0,
  created_by: preview.createdBy,
})

const recordOf = (row: Selectable<PreviewTable>): PreviewRecord => ({
  zone: row.zone,
  name: row.name,
  baseCommitId: row.base_commit,
  headCommitId: row.head_commit,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  expiresAt: new Date(row.expires_at),
  hasOwnExpiry: row.own_expiry === 1,
  isSigned: row.signed === 1,
  createdBy: row.created_by,
})
