import { z } from 'zod'

import { personActorPrefix, reaches } from '../../domain/access/actor.ts'
import type { People } from '../../domain/access/people/people.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { clampedInteger, moment } from '../../http/request/query.ts'
import { senderOf } from '../../domain/access/sender.ts'
import type { Sender } from '../../ports/records/sender.ts'
import { zonesOf } from './audit/audit-zones.ts'
import { deedWords, senderWords } from './audit/deed-words.ts'
import type { AuditLog, AuditQuery } from '../../ports/content/audit-log.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import { zoneBeginnings, type ZoneBeginnings } from './zone-beginnings.ts'

export interface AuditDependencies {
  readonly audit: AuditLog
  readonly published: Pick<Manifest, 'zone'>
  /** Whoever was there once, by the names they have now. */
  readonly people: Pick<People, 'known'>
  readonly tokens: { byId(id: string): { readonly name: string } | undefined }
  readonly now: () => Date
}

const dayMilliseconds = 86_400_000

const entry = z.object({
  timestamp: z.iso.datetime(),
  action: z.string(),
  actor: z.string(),
  by: z
    .object({ kind: z.string(), id: z.string(), name: z.string().nullable() })
    .nullable()
    .describe(
      'Who did it: a key, token, session, grant, person or the service; null for nobody known',
    ),
  summary: z.string().describe('The same in words: who did what'),
  zones: z.array(z.string()).describe('The zones it is about; none where all share it'),
  commit: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable().describe('Settings as they were'),
  after: z.record(z.string(), z.unknown()).nullable().describe('The same as they became'),
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
    zone: z.string().max(64).optional().describe('What is about this zone'),
    actor: z.string().max(200).optional().describe('Part of the name or id of who did it'),
    q: z.string().max(200).optional().describe('Free text: in words, target, address, ids'),
    from: moment('Nothing older, in place of `days`').optional(),
    to: moment('Nothing newer').optional(),
    limit: clampedInteger({ min: 1, max: 5000, default: 500 }),
  }),
  responses: { 200: { description: 'Newest first', schema: auditLogs } },
}).handledBy(
  (dependencies: AuditDependencies) =>
    async ({ query: { days, action, limit, from, ...wanted }, caller, respond }) => {
      const at = dependencies.now()
      const since = from ?? new Date(at.getTime() - days * dayMilliseconds)
      const query = { since, limit, ...(action === undefined ? {} : { action }) }
      const entries = await visibleEntries({ query, wanted, caller }, dependencies)
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

interface Question {
  readonly query: AuditQuery
  readonly wanted: Wanted
  readonly caller: Caller
}

/**
 * A credential narrowed to some zones sees what was done to those alone, and what it did itself. How
 * many records of others lie between is not told, so the log is read on until enough are found.
 */
async function visibleEntries(
  { query, wanted, caller }: Question,
  dependencies: AuditDependencies,
): Promise<readonly z.infer<typeof entry>[]> {
  const { audit, published } = dependencies
  const { zones } = caller
  const beginnings =
    zones && (await zoneBeginnings(zones, { audit, published, since: query.since }))
  const isAll = zones === undefined && Object.values(wanted).every((each) => each === undefined)
  for (let limit = isAll ? query.limit : query.limit * 4; ; limit *= 4) {
    const records = await audit.query({ ...query, limit })
    const found = records
      .filter((record) => beginnings === undefined || concerns(record, caller, beginnings))
      .map((record) => entryOf(record, shownTo(caller, record, dependencies)))
      .filter((each) => fits(each, wanted))
    if (found.length >= query.limit || records.length < limit) return found.slice(0, query.limit)
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

const maxBySize = 4_096

function entryOf(record: AuditRecord, known: Named): z.infer<typeof entry> {
  const by = byOf(record, known)
  const { before, ...after } = record.meta
  const zones = zonesOf(record)
  const { commit } = record.meta
  return {
    timestamp: record.at.toISOString(),
    action: record.action,
    actor: record.actor,
    by: by === undefined ? null : { ...by, name: by.name ?? null },
    summary: `${senderWords(by, record.userAgent)} ${deedWords(record)}`,
    zones: [...zones],
    commit: typeof commit === 'string' ? commit : null,
    before: isPlain(before) ? before : null,
    after: isPlain(before) ? after : null,
    target: record.target,
    ip: record.ip ?? null,
    userAgent: record.userAgent ?? null,
    requestId: record.requestId ?? null,
    meta: { ...record.meta },
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && JSON.stringify(value).length <= maxBySize

type Named = Pick<AuditDependencies, 'people' | 'tokens'>

/** Tokens and people by the names they have now, or had in the end. */
function byOf({ actor }: AuditRecord, { people, tokens }: Named): Sender | undefined {
  if (actor.startsWith(personActorPrefix)) {
    const id = actor.slice(personActorPrefix.length)
    return { kind: 'person', id, name: people.known(id)?.name ?? id }
  }
  return senderOf(actor, (id) =>
    id.startsWith('token:') ? tokens.byId(id.slice('token:'.length))?.name : undefined,
  )
}

interface Wanted {
  readonly zone?: string | undefined
  readonly actor?: string | undefined
  readonly q?: string | undefined
  readonly to?: Date | undefined
}

/** Whether an entry is among what is asked for. */
function fits(found: z.infer<typeof entry>, { zone, actor, q, to }: Wanted): boolean {
  if (to !== undefined && found.timestamp > to.toISOString()) return false
  if (zone !== undefined && !found.zones.includes(zone)) return false
  if (actor !== undefined && !says([found.actor, found.by?.name, found.by?.kind], actor))
    return false
  const { summary, action, target, ip, requestId } = found
  return q === undefined || says([summary, action, target, ip, requestId, found.actor], q)
}

const says = (texts: readonly (string | null | undefined)[], sought: string): boolean =>
  texts.some((text) => text?.toLowerCase().includes(sought.toLowerCase()) === true)
