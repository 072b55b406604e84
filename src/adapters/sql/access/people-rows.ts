import type { Kysely, Transaction } from 'kysely'

import type { PersonRecord, RoleGrant } from '../../../ports/access/people-store.ts'
import type { Schema } from '../schema.ts'
import type { PersonGrantTable, PersonTable } from './people-schema.ts'
import { bumpTokenVersion } from './token-rows.ts'

export async function readPeople(queries: Kysely<Schema>): Promise<readonly PersonRecord[]> {
  // One statement, so that a person and the grants are of one moment.
  const rows = await queries
    .selectFrom('people')
    .leftJoin('person_grants', 'person_grants.person_id', 'people.id')
    .selectAll('people')
    .select(['person_grants.role', 'person_grants.zone', 'person_grants.source'])
    .orderBy('people.created_at')
    .orderBy('people.id')
    .orderBy('person_grants.source')
    .orderBy('person_grants.role')
    .orderBy('person_grants.zone')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const granted = group.flatMap(({ role, zone, source }) =>
      role === null || zone === null || source === null ? [] : [{ role, zone, source }],
    )
    return [recordOf(first, grantsOf(granted))]
  })
}

type GrantRow = Omit<PersonGrantTable, 'person_id'>

const grantsOf = (rows: readonly GrantRow[]): readonly RoleGrant[] =>
  [...Map.groupBy(rows, ({ role, source }) => `${source} ${role}`).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const zones = group.map(({ zone }) => zone)
    const { role, source } = first
    return [{ role, source, zones: zones.includes('') ? undefined : zones }]
  })

export async function writeGrants(
  transaction: Transaction<Schema>,
  { id, grants }: PersonRecord,
): Promise<void> {
  await transaction.deleteFrom('person_grants').where('person_id', '=', id).execute()
  const rows = grants.flatMap(({ role, zones = [''], source }) =>
    zones.map((zone) => ({ person_id: id, role, zone, source })),
  )
  if (rows.length > 0) await transaction.insertInto('person_grants').values(rows).execute()
}

/** Takes a zone out of every grant. */
export async function removeZoneFromPeople(
  transaction: Transaction<Schema>,
  zone: string,
): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('person_grants')
    .where('zone', '=', zone)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await bumpPeopleVersion(transaction)
}

/** What lets the person in. */
export async function endCredentials(
  transaction: Transaction<Schema>,
  id: string,
  ends: 'sessions' | 'everything',
): Promise<void> {
  await transaction.deleteFrom('sessions').where('person_id', '=', id).execute()
  if (ends === 'sessions') return
  await transaction.deleteFrom('passkeys').where('person_id', '=', id).execute()
  await transaction
    .deleteFrom('token_zones')
    .where('token_id', 'in', (tokens) =>
      tokens.selectFrom('tokens').select('id').where('person_id', '=', id),
    )
    .execute()
  await transaction.deleteFrom('tokens').where('person_id', '=', id).execute()
  await bumpTokenVersion(transaction)
}

export async function bumpPeopleVersion(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('people_version')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', 1)
    .execute()
}

const invitationRowOf = ({ invitation }: PersonRecord) => ({
  invitation_sha256: invitation?.secretSha256 ?? null,
  invitation_expires_at: invitation?.expiresAt.getTime() ?? null,
})

export const personRowOf = (person: PersonRecord): PersonTable => ({
  id: person.id,
  email: person.email ?? null,
  name: person.name,
  state: person.state,
  issuer: person.identity?.issuer ?? null,
  subject: person.identity?.subject ?? null,
  ...invitationRowOf(person),
  created_by: person.createdBy,
  created_at: person.createdAt.getTime(),
  last_seen_at: person.lastSeenAt?.getTime() ?? null,
})

const recordOf = (row: PersonTable, grants: readonly RoleGrant[]): PersonRecord => ({
  id: row.id,
  email: row.email ?? undefined,
  name: row.name,
  state: row.state,
  identity:
    row.issuer === null || row.subject === null
      ? undefined
      : { issuer: row.issuer, subject: row.subject },
  grants,
  invitation:
    row.invitation_sha256 === null
      ? undefined
      : {
          secretSha256: row.invitation_sha256,
          expiresAt: new Date(row.invitation_expires_at ?? 0),
        },
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  lastSeenAt: row.last_seen_at === null ? undefined : new Date(row.last_seen_at),
})
