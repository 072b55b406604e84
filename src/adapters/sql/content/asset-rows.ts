import { setImmediate } from 'node:timers/promises'

import type { Kysely, Transaction } from 'kysely'

import {
  metadataOfRow,
  metadataRow,
  type MetadataRow,
} from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { paddedLists } from '../row-lists.ts'
import { replacing, RowWriter } from '../row-writer.ts'
import type { AssetTable, Schema } from '../schema.ts'

/** Writes assets over what their paths held before. No path may occur twice. */
export const createAssetWriter = (queries: Kysely<Schema>): RowWriter<AssetRecord> =>
  new RowWriter<AssetRecord>(queries, { table: 'assets', rowOf, onConflict: replacing('path') })

export async function removeAssets(
  transaction: Transaction<Schema>,
  paths: readonly string[],
): Promise<void> {
  for (const list of paddedLists(paths))
    await transaction.deleteFrom('assets').where('path', 'in', list).execute()
}

/** Every asset in byte order of the path, read a page at a time; what is written meanwhile may show. */
export async function* readAssets(queries: Kysely<Schema>): AsyncIterable<AssetRecord> {
  const pool = createStringPool()
  let last = ''
  while (true) {
    const rows = await queries
      .selectFrom('assets')
      .select(columns)
      .where('path', '>', last)
      .orderBy('path')
      .limit(pageSize)
      .execute()
    for (const row of rows) yield recordOf(row, pool)
    if (rows.length < pageSize) return
    last = rows.at(-1)?.path ?? last
    await setImmediate()
  }
}

/** Those of the paths that are assets. */
export async function readAssetsAt(
  queries: Kysely<Schema>,
  paths: readonly string[],
): Promise<readonly AssetRecord[]> {
  const pool = createStringPool()
  const wanted = [...new Set(paths)]
  const found: AssetRecord[] = []
  for (let start = 0; start < wanted.length; start += pageSize) {
    const rows = await queries
      .selectFrom('assets')
      .select(columns)
      .where('path', 'in', wanted.slice(start, start + pageSize))
      .execute()
    for (const row of rows) found.push(recordOf(row, pool))
  }
  return found
}

const pageSize = 1000

/** All but the name, which is in the path. */
const columns = [
  'path',
  'zone',
  'category',
  'format',
  'size_bytes',
  'sha256',
  'content_type',
  'created_at',
  'changed_at',
  'commit_id',
  'metadata',
] as const

const rowOf = (asset: AssetRecord): AssetTable => ({
  path: asset.path,
  zone: asset.zone,
  category: asset.category,
  name: asset.name,
  format: asset.format,
  size_bytes: asset.sizeBytes,
  sha256: asset.sha256,
  content_type: asset.contentType,
  created_at: asset.createdAt.getTime(),
  changed_at: asset.changedAt.getTime(),
  commit_id: asset.commitId,
  metadata: asset.metadata === undefined ? null : JSON.stringify(metadataRow(asset.metadata)),
})

function recordOf(
  row: Pick<AssetTable, (typeof columns)[number]>,
  pool: (text: string) => string,
): AssetRecord {
  const createdAt = new Date(row.created_at)
  const record: AssetRecord = {
    path: row.path,
    zone: pool(row.zone),
    category: pool(row.category),
    name: row.path.slice(row.path.lastIndexOf('/') + 1),
    format: pool(row.format),
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    contentType: pool(row.content_type),
    createdAt,
    changedAt: row.changed_at === row.created_at ? createdAt : new Date(row.changed_at),
    commitId: pool(row.commit_id),
  }
  return row.metadata === null ? record : { ...record, metadata: metadataOf(row.metadata) }
}

const metadataOf = (text: string) => metadataOfRow(JSON.parse(text) as MetadataRow)

/** Equal texts become one, which for a hundred thousand assets saves tens of megabytes. */
function createStringPool(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const first = known.get(text)
    if (first !== undefined) return first
    known.set(text, text)
    return text
  }
}
