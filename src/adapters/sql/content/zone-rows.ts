import type { Kysely, Transaction } from 'kysely'

import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { Schema, ZoneTable } from '../schema.ts'
import { removeZoneFromPeople } from '../access/people-rows.ts'
import { removeZoneFromTokens } from '../access/token-rows.ts'
import { removeZoneFromWebhooks } from '../webhooks/webhook-rows.ts'

export async function readZones(queries: Kysely<Schema>): Promise<readonly ZoneRecord[]> {
  const rows = await queries.selectFrom('zones').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    name: row.name,
    createdAt: new Date(row.created_at),
    ...(row.commit_id === null ? {} : { commitId: row.commit_id }),
    enabled: row.enabled === 1,
    suspended: row.suspended === 1,
    ...(row.fields !== null && { fields: row.fields }),
    ...(row.history !== null && { history: row.history }),
    ...(row.transforms !== null && { transforms: row.transforms }),
    ...(row.transform_mode !== null && { transformMode: row.transform_mode }),
    ...(row.history_days !== null && { historyDays: row.history_days }),
    ...(row.history_since !== null && { historySince: new Date(row.history_since) }),
    ...furtherOf(row),
  }))
}

const furtherOf = (row: FurtherColumns) => ({
  ...(row.headers !== null && { headers: row.headers }),
  ...(row.redirects !== null && { redirects: row.redirects }),
  ...(row.cache_seconds !== null && { cacheSeconds: row.cache_seconds }),
  ...(row.metadata_policy !== null && { metadataPolicy: row.metadata_policy }),
  ...(row.vision !== null && { vision: row.vision }),
  ...(row.moderation !== null && { moderation: row.moderation }),
  ...(row.languages !== null && { languages: row.languages.split(' ') }),
  ...(row.delivery !== null && { delivery: row.delivery }),
})

export async function writeZones(
  transaction: Transaction<Schema>,
  zones: readonly ZoneRecord[],
): Promise<void> {
  for (const zone of zones)
    await transaction
      .insertInto('zones')
      .values(rowOf(zone))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((row) => ({
          created_at: row.ref('excluded.created_at'),
          enabled: row.ref('excluded.enabled'),
          suspended: row.ref('excluded.suspended'),
          commit_id: row.ref('excluded.commit_id'),
          fields: row.ref('excluded.fields'),
          history: row.ref('excluded.history'),
          transforms: row.ref('excluded.transforms'),
          transform_mode: row.ref('excluded.transform_mode'),
          history_days: row.ref('excluded.history_days'),
          history_since: row.ref('excluded.history_since'),
          headers: row.ref('excluded.headers'),
          redirects: row.ref('excluded.redirects'),
          cache_seconds: row.ref('excluded.cache_seconds'),
          metadata_policy: row.ref('excluded.metadata_policy'),
          vision: row.ref('excluded.vision'),
          moderation: row.ref('excluded.moderation'),
          languages: row.ref('excluded.languages'),
          delivery: row.ref('excluded.delivery'),
        })),
      )
      .execute()
}

type Retention = Pick<ZoneTable, 'history' | 'history_days' | 'history_since'>

const retentionOf = (zone: ZoneRecord): Retention => ({
  history: zone.history ?? null,
  history_days: zone.historyDays ?? null,
  history_since: zone.historySince?.getTime() ?? null,
})

type FurtherColumns = Pick<
  ZoneTable,
  | 'headers'
  | 'redirects'
  | 'cache_seconds'
  | 'metadata_policy'
  | 'vision'
  | 'moderation'
  | 'languages'
  | 'delivery'
>

const furtherColumns = (zone: ZoneRecord): FurtherColumns => ({
  headers: zone.headers ?? null,
  redirects: zone.redirects ?? null,
  cache_seconds: zone.cacheSeconds ?? null,
  metadata_policy: zone.metadataPolicy ?? null,
  vision: zone.vision ?? null,
  moderation: zone.moderation ?? null,
  languages: zone.languages?.join(' ') ?? null,
  delivery: zone.delivery ?? null,
})

const rowOf = (zone: ZoneRecord): ZoneTable => ({
  name: zone.name,
  created_at: zone.createdAt.getTime(),
  enabled: zone.enabled ? 1 : 0,
  suspended: zone.suspended ? 1 : 0,
  commit_id: zone.commitId ?? null,
  fields: zone.fields ?? null,
  ...retentionOf(zone),
  ...furtherColumns(zone),
  transforms: zone.transforms ?? null,
  transform_mode: zone.transformMode ?? null,
})

/** The zone with its domains, its previews, its upload grants, its bounds, its reach in tokens and grants of people, and its objects: all paths between `zone/` and the next byte. */
export async function removeZone(transaction: Transaction<Schema>, name: string): Promise<void> {
  for (const table of [
    'assets',
    'object_versions',
    'directory_markers',
    'settled_suggestions',
  ] as const)
    await removePaths(transaction, table, { from: `${name}/`, before: `${name}0` })
  await transaction.deleteFrom('deleted_assets').where('zone', '=', name).execute()
  await transaction
    .deleteFrom('asset_moves')
    .where((where) =>
      where.or(
        (['to_path', 'from_path'] as const).map((column) =>
          where.and([where(column, '>=', `${name}/`), where(column, '<', `${name}0`)]),
        ),
      ),
    )
    .execute()
  await removeUploadGrants(transaction, name)
  await removeZoneFromTokens(transaction, name)
  await removeZoneFromPeople(transaction, name)
  await removeZoneFromWebhooks(transaction, name)
  await transaction.deleteFrom('domains').where('zone', '=', name).execute()
  await transaction.deleteFrom('previews').where('zone', '=', name).execute()
  await transaction.deleteFrom('zone_quotas').where('zone', '=', name).execute()
  await transaction.deleteFrom('zones').where('name', '=', name).execute()
}

/** So many rows a statement: others are answered between two. */
const removedAtOnce = 1_000

type RemovedTable = 'assets' | 'object_versions' | 'directory_markers' | 'settled_suggestions'

interface PathRange {
  readonly from: string
  readonly before: string
}

async function removePaths(
  transaction: Transaction<Schema>,
  table: RemovedTable,
  { from, before }: PathRange,
): Promise<void> {
  let start: string | undefined = from
  while (start !== undefined) {
    const next = await pathAfter(transaction, table, { from: start, before })
    await transaction
      .deleteFrom(table)
      .where('path', '>=', start)
      .where('path', '<', next ?? before)
      .execute()
    start = next
  }
}

/** The path behind the next thousand rows; `undefined` where there are no more, or all have the same path. */
async function pathAfter(
  transaction: Transaction<Schema>,
  table: RemovedTable,
  { from, before }: PathRange,
): Promise<string | undefined> {
  const next = await transaction
    .selectFrom(table)
    .select('path')
    .where('path', '>=', from)
    .where('path', '<', before)
    .orderBy('path')
    .offset(removedAtOnce)
    .limit(1)
    .executeTakeFirst()
  return next?.path === from ? undefined : next?.path
}

async function removeUploadGrants(transaction: Transaction<Schema>, zone: string): Promise<void> {
  await transaction
    .deleteFrom('upload_grant_uses')
    .where('grant_id', 'in', (grants) =>
      grants.selectFrom('upload_grants').select('id').where('zone', '=', zone),
    )
    .execute()
  await transaction.deleteFrom('upload_grants').where('zone', '=', zone).execute()
}

export async function zonesExist(
  transaction: Transaction<Schema>,
  zones: readonly string[],
): Promise<boolean> {
  if (zones.length === 0) return true
  const found = await transaction
    .selectFrom('zones')
    .select('name')
    .where('name', 'in', [...zones])
    .execute()
  return found.length === zones.length
}
