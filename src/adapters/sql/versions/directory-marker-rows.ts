import type { Kysely, Transaction } from 'kysely'

import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import { paddedLists } from '../row-lists.ts'
import { replacing, RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { DirectoryMarkerTable } from './object-version-schema.ts'

export const createMarkerWriter = (queries: Kysely<Schema>): RowWriter<DirectoryMarker> =>
  new RowWriter<DirectoryMarker>(queries, {
    table: 'directory_markers',
    rowOf,
    onConflict: replacing('path'),
  })

export async function removeMarkers(
  transaction: Transaction<Schema>,
  paths: readonly string[],
): Promise<void> {
  for (const list of paddedLists(paths))
    await transaction.deleteFrom('directory_markers').where('path', 'in', list).execute()
}

export async function readMarkers(queries: Kysely<Schema>): Promise<readonly DirectoryMarker[]> {
  const rows = await queries.selectFrom('directory_markers').selectAll().orderBy('path').execute()
  return rows.map((row) => ({
    path: row.path,
    zone: row.zone,
    commitId: row.commit_id,
    changedAt: new Date(row.changed_at),
  }))
}

const rowOf = (marker: DirectoryMarker): DirectoryMarkerTable => ({
  path: marker.path,
  zone: marker.zone,
  commit_id: marker.commitId,
  changed_at: marker.changedAt.getTime(),
})
