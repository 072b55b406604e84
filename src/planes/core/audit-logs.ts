import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { clampedInteger, moment } from '../../http/request/query.ts'
import type { AuditLog, AuditPlace } from '../../ports/content/audit-log.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { csvType, format, wantsCsv } from '../insights/csv-reports.ts'
import { auditCsv } from './audit/audit-csv.ts'
import { type AuditEntry, entry, entryOf, type Named } from './audit/audit-entries.ts'
import { anyOfGroup, fits, type Wanted } from './audit/audit-filter.ts'
import { zonesOf } from './audit/audit-zones.ts'
import { zoneBeginnings, type ZoneBeginnings } from './zone-beginnings.ts'

export interface AuditDependencies extends Named {
  readonly audit: AuditLog
  readonly published: Pick<Manifest, 'zone'>
  readonly now: () => Date
}

const dayMilliseconds = 86_400_000

const cursorPattern = /^\d{1,16}\.\d{1,16}$/u
const auditLogs = z.object({
  Period: z.object({ Days: z.int() }),
  Entries: z.array(entry),
  logs: z.array(entry),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
  Cursor: z.string().nullable().describe('Where to go on; null at the end'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/core/audit-logs`. */
export const listAuditLogs = operation({
  id: 'listAuditLogs',
  plane: 'core',
  method: 'get',
  path: '/api/core/audit-logs',
  summary: 'Who changed what',
  description:
    'Kept for 90 days. One answer looks at no more than 20,000 records: `Cursor` goes on from there, which as `text/csv` is in `Link` (`rel="next"`).',
  example: { query: { days: 7, limit: 20 } },
  access: { keys: ['account'], scope: 'logs:read', session: true },
  envelope: 'standard',
  query: z.object({
    days: clampedInteger({ min: 1, max: 90, default: 7 }),
    action: z
      .string()
      .max(64)
      .optional()
      .describe('Exactly this action, e.g. `storage.put`, or all of a group: `storage.*`'),
    zone: z.string().max(64).optional().describe('What is about this zone'),
    actor: z.string().max(200).optional().describe('Part of the name or id of who did it'),
    q: z.string().max(200).optional().describe('Free text: in words, target, address, ids'),
    from: moment('Nothing older, in place of `days`').optional(),
    to: moment('Nothing newer').optional(),
    limit: clampedInteger({ min: 1, max: 5000, default: 500 }),
    cursor: z
      .string()
      .max(64)
      .regex(cursorPattern, 'must be the Cursor of an earlier answer')
      .optional()
      .describe('The `Cursor` of an earlier answer'),
    format,
  }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'Newest first', schema: auditLogs, otherContentTypes: [csvType] },
  },
}).handledBy((dependencies: AuditDependencies) => async ({ query, caller, request, respond }) => {
  const { days, limit, from, cursor, format: _, ...wanted } = query
  const at = dependencies.now()
  const since = from ?? new Date(at.getTime() - days * dayMilliseconds)
  const asked = { since, limit, after: placeOf(cursor), wanted, caller }
  const { entries, next } = await visibleEntries(asked, dependencies)
  const Cursor = next === undefined ? null : `${next.atMs}.${next.seq}`
  if (wantsCsv({ query, request })) return auditCsv(entries, { request, cursor: Cursor })
  return respond(200, {
    Period: { Days: days },
    Entries: entries,
    logs: entries,
    Count: entries.length,
    Limit: limit,
    Cursor,
    DateFetched: at.toISOString(),
  })
})

function placeOf(cursor: string | undefined): AuditPlace | undefined {
  const [atMs, seq] = cursor?.split('.').map(Number) ?? []
  return atMs === undefined || seq === undefined ? undefined : { atMs, seq }
}

interface Question {
  readonly since: Date
  readonly limit: number
  readonly after: AuditPlace | undefined
  readonly wanted: Wanted
  readonly caller: Caller
}

interface Found {
  readonly entries: readonly AuditEntry[]
  /** Where to go on; `undefined` at the end. */
  readonly next: AuditPlace | undefined
}

const batchSize = 1_000
const maxLookedAt = 20_000

/**
 * A credential narrowed to some zones sees what was done to those alone, and what it did itself. How
 * many records of others lie between is not told, so the log is read on until enough are found, or so
 * many were looked at.
 */
async function visibleEntries(question: Question, dependencies: AuditDependencies): Promise<Found> {
  const { since, limit, after, wanted } = question
  const { action } = wanted
  const exactly = action === undefined || action.endsWith(anyOfGroup) ? {} : { action }
  const show = await createShow(question, dependencies)
  const entries: AuditEntry[] = []
  let place = after
  for (let lookedAt = 0; lookedAt < maxLookedAt; lookedAt += batchSize) {
    const query = { since, ...exactly, after: place, limit: batchSize }
    const records = await dependencies.audit.query(query)
    for (const record of records) {
      place = { atMs: record.at.getTime(), seq: record.seq }
      entries.push(...show(record))
      if (entries.length === limit) return { entries, next: place }
    }
    if (records.length < batchSize) return { entries, next: undefined }
  }
  return { entries, next: place }
}

/** Answers a record as it is shown, or none where it is not. */
async function createShow(
  { since, wanted, caller }: Question,
  dependencies: AuditDependencies,
): Promise<(record: AuditRecord) => readonly AuditEntry[]> {
  const { audit, published } = dependencies
  const { zones } = caller
  const beginnings = zones && (await zoneBeginnings(zones, { audit, published, since }))
  return (record) => {
    if (beginnings !== undefined && !concerns(record, caller, beginnings)) return []
    const found = entryOf(record, shownTo(caller, record, dependencies))
    return fits(found, wanted) ? [found] : []
  }
}

/** Who is narrowed to zones does not learn what others call their tokens. */
const shownTo = ({ zones, credentialId }: Caller, { actor }: AuditRecord, named: Named): Named =>
  zones === undefined || actor === credentialId
    ? named
    : { ...named, tokens: { byId: () => undefined } }

function concerns(record: AuditRecord, caller: Caller, beginnings: ZoneBeginnings): boolean {
  if (record.actor === caller.credentialId) return true
  const zones = zonesOf(record)
  const isOwn = (zone: string) => record.at.getTime() >= (beginnings.get(zone) ?? Infinity)
  return zones.length > 0 && zones.every((zone) => reaches(caller, zone) && isOwn(zone))
}
