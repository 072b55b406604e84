import { z } from 'zod'

import { personActorPrefix, reaches } from '../../domain/access/actor.ts'
import type { People } from '../../domain/access/people/people.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import type { AuditLog, AuditQuery } from '../../ports/content/audit-log.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import { zoneBeginnings, type ZoneBeginnings } from './zone-beginnings.ts'

export interface AuditDependencies {
  readonly audit: AuditLog
  readonly published: Pick<Manifest, 'zone'>
  /** Whoever was there once, by the names they have now. */
  readonly people: Pick<People, 'known'>
  readonly now: () => Date
}

const dayMilliseconds = 86_400_000

const entry = z.object({
  timestamp: z.iso.datetime(),
  action: z.string(),
  actor: z.string(),
  by: z
    .object({ kind: z.literal('person'), id: z.string(), name: z.string() })
    .nullable()
    .describe('The person who did it; null of keys, tokens and operators'),
  target: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  meta: z.record(z.string(), z.unknown()),
})

const auditLogs = z.object({
  Period: z.object({ Days: z.int() }),
  Entries: z.array(entry),
  logs: z.array(entry),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/core/audit-logs`. */
export const listAuditLogs = operation({
  id: 'listAuditLogs',
  plane: 'core',
  method: 'get',
  path: '/api/core/audit-logs',
  summary: 'Who changed what',
  example: { query: { days: 7, limit: 20 } },
  access: { keys: ['account'], scope: 'logs:read', session: true },
  envelope: 'standard',
  query: z.object({
    days: clampedInteger({ min: 1, max: 90, default: 7 }),
    action: z.string().optional().describe('Exactly this action, e.g. `storage.put`'),
    limit: clampedInteger({ min: 1, max: 5000, default: 500 }),
  }),
  responses: { 200: { description: 'Newest first', schema: auditLogs } },
}).handledBy(
  (dependencies: AuditDependencies) =>
    async ({ query: { days, action, limit }, caller, respond }) => {
      const at = dependencies.now()
      const since = new Date(at.getTime() - days * dayMilliseconds)
      const query = { since, limit, ...(action === undefined ? {} : { action }) }
      const entries = (await visibleRecords(query, caller, dependencies)).map((record) =>
        entryOf(record, dependencies.people),
      )
      return respond(200, {
        Period: { Days: days },
        Entries: entries,
        logs: entries,
        Count: entries.length,
        Limit: limit,
        DateFetched: at.toISOString(),
      })
    },
)

/**
 * A credential narrowed to some zones sees what was done to those alone, and what it did itself. How
 * many records of others lie between is not told, so the log is read on until enough are found.
 */
async function visibleRecords(
  query: AuditQuery,
  caller: Caller,
  { audit, published }: AuditDependencies,
): Promise<readonly AuditRecord[]> {
  if (caller.zones === undefined) return await audit.query(query)
  const beginnings = await zoneBeginnings(caller.zones, { audit, published, since: query.since })
  for (let limit = query.limit * 4; ; limit *= 4) {
    const records = await audit.query({ ...query, limit })
    const visible = records.filter((record) => concerns(record, caller, beginnings))
    if (visible.length >= query.limit || records.length < limit)
      return visible.slice(0, query.limit)
  }
}

function concerns(record: AuditRecord, caller: Caller, beginnings: ZoneBeginnings): boolean {
  if (record.actor === caller.credentialId) return true
  const zones = zonesOf(record)
  const isOwn = (zone: string) => record.at.getTime() >= (beginnings.get(zone) ?? Infinity)
  return zones.length > 0 && zones.every((zone) => reaches(caller, zone) && isOwn(zone))
}

/** The zones a record tells of; none where it is about what all share. */
function zonesOf({ action, target, meta }: AuditRecord): readonly string[] {
  const { zone, zones } = meta
  if (Array.isArray(zones)) return zones.map(String)
  if (typeof zone === 'string') return [zone]
  if (action === 'storage.batch') return target.split(',')
  return /^(?:storage|zone)\./u.test(action) ? [target.split('/')[0] ?? ''] : []
}

const entryOf = (
  record: AuditRecord,
  people: AuditDependencies['people'],
): z.infer<typeof entry> => ({
  timestamp: record.at.toISOString(),
  action: record.action,
  actor: record.actor,
  by: byOf(record, people),
  target: record.target,
  ip: record.ip ?? null,
  userAgent: record.userAgent ?? null,
  requestId: record.requestId ?? null,
  meta: { ...record.meta },
})

function byOf(
  { actor }: AuditRecord,
  people: AuditDependencies['people'],
): z.infer<typeof entry>['by'] {
  if (!actor.startsWith(personActorPrefix)) return null
  const id = actor.slice(personActorPrefix.length)
  return { kind: 'person', id, name: people.known(id)?.name ?? id }
}
