import { z } from 'zod'

import { personActorPrefix } from '../../../domain/access/actor.ts'
import type { People } from '../../../domain/access/people/people.ts'
import { senderOf } from '../../../domain/access/sender.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { Sender } from '../../../ports/records/sender.ts'
import { zonesOf } from './audit-zones.ts'
import { deedWords, senderWords } from './deed-words.ts'

export type AuditEntry = z.infer<typeof entry>

export const entry = z.object({
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

/** By what names those who did it are known. */
export interface Named {
  /** Whoever was there once, by the names they have now. */
  readonly people: Pick<People, 'known'>
  readonly tokens: { byId(id: string): { readonly name: string } | undefined }
}

const maxBySize = 4_096

export function entryOf(record: AuditRecord, known: Named): AuditEntry {
  const by = byOf(record, known)
  const { before, after, ...rest } = changesOf(record)
  const zones = zonesOf(record)
  return {
    timestamp: record.at.toISOString(),
    action: record.action,
    actor: record.actor,
    by: by === undefined ? null : { ...by, name: by.name ?? null },
    summary: `${senderWords(by, record.userAgent)} ${deedWords(record)}`,
    zones: [...zones],
    ...rest,
    before,
    after,
    target: record.target,
    ip: record.ip ?? null,
    userAgent: record.userAgent ?? null,
    requestId: record.requestId ?? null,
    meta: { ...record.meta },
  }
}

/** What some records say in `before` and `after`, and others in `before` and all the rest. */
function changesOf({ meta }: AuditRecord): Pick<AuditEntry, 'commit' | 'before' | 'after'> {
  const { before, after, commit, ...rest } = meta
  const isToldBoth = isPlain(before)
  const told = isPlain(after) ? after : rest
  return {
    commit: typeof commit === 'string' ? commit : null,
    before: isToldBoth ? before : null,
    after: isToldBoth ? told : null,
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && JSON.stringify(value).length <= maxBySize

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
