import type { Kysely, Transaction } from 'kysely'

import type { TokenRecord } from '../../../ports/access/token-store.ts'
import type { Schema, TokenTable } from '../schema.ts'

export async function readTokens(queries: Kysely<Schema>): Promise<readonly TokenRecord[]> {
  // One statement, so that a token and its zones are of one moment.
  const rows = await queries
    .selectFrom('tokens')
    .leftJoin('token_zones', 'token_zones.token_id', 'tokens.id')
    .selectAll('tokens')
    .select('token_zones.zone')
    .orderBy('tokens.created_at')
    .orderBy('tokens.id')
    .orderBy('token_zones.zone')
    .execute()
  const rowsById = Map.groupBy(rows, ({ id }) => id)
  return [...rowsById.values()].map((group) => {
    const [first] = group
    if (first === undefined) throw new Error('a group has at least one row')
    return recordOf(
      first,
      group.flatMap(({ zone }) => zone ?? []),
    )
  })
}

export async function insertToken(
  transaction: Transaction<Schema>,
  token: TokenRecord,
): Promise<void> {
  await transaction.insertInto('tokens').values(rowOf(token)).execute()
  const { zones } = token
  if (zones !== undefined)
    await transaction
      .insertInto('token_zones')
      .values(zones.map((zone) => ({ token_id: token.id, zone })))
      .execute()
  await bumpTokenVersion(transaction)
}

/** Takes a zone out of every token, and the tokens that reach no other with it. */
export async function removeZoneFromTokens(
  transaction: Transaction<Schema>,
  zone: string,
): Promise<void> {
  const removed = await transaction
    .deleteFrom('token_zones')
    .where('zone', '=', zone)
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) return
  await transaction
    .deleteFrom('tokens')
    .where('narrowed', '=', 1)
    .where('id', 'not in', (zones) => zones.selectFrom('token_zones').select('token_id'))
    .execute()
  await bumpTokenVersion(transaction)
}

export async function bumpTokenVersion(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('token_version')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', 1)
    .execute()
}

const rowOf = (token: TokenRecord): TokenTable => ({
  id: token.id,
  name: token.name,
  secret_sha256: token.secretSha256,
  prefix: token.prefix,
  scopes: JSON.stringify(token.scopes),
  narrowed: token.zones === undefined ? 0 : 1,
  created_by: token.createdBy,
  created_at: token.createdAt.getTime(),
  expires_at: token.expiresAt.getTime(),
  last_used_at: token.lastUsedAt?.getTime() ?? null,
  signs_s3: token.isForS3 ? 1 : 0,
  person_id: token.personId ?? null,
  former_sha256: token.former?.sha256 ?? null,
  former_until: token.former?.until.getTime() ?? null,
})

const recordOf = (row: TokenTable, zones: readonly string[]): TokenRecord => ({
  id: row.id,
  name: row.name,
  secretSha256: row.secret_sha256,
  prefix: row.prefix,
  scopes: JSON.parse(row.scopes) as readonly string[],
  zones: row.narrowed === 1 ? zones : undefined,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  lastUsedAt: row.last_used_at === null ? undefined : new Date(row.last_used_at),
  isForS3: row.signs_s3 === 1,
  personId: row.person_id ?? undefined,
  former:
    row.former_sha256 === null
      ? undefined
      : { sha256: row.former_sha256, until: new Date(row.former_until ?? 0) },
})
