import type { Kysely } from 'kysely'

import type { AuditRecord } from '../../../ports/records/audit.ts'
import { RowWriter } from '../row-writer.ts'
import type { AuditTable, Schema } from '../schema.ts'

export interface NumberedAuditRecord {
  readonly seq: number
  readonly record: AuditRecord
}

export const createAuditWriter = (queries: Kysely<Schema>): RowWriter<NumberedAuditRecord> =>
  new RowWriter<NumberedAuditRecord>(queries, { table: 'audit', rowOf })

const rowOf = ({ seq, record }: NumberedAuditRecord): AuditTable => ({
  seq,
  at: record.at.getTime(),
  action: record.action,
  actor: record.actor,
  target: record.target,
  ip: record.ip ?? null,
  user_agent: record.userAgent ?? null,
  request_id: record.requestId ?? null,
  meta: JSON.stringify(record.meta),
})

export const auditRecordOf = (row: AuditTable): AuditRecord => ({
  at: new Date(row.at),
  action: row.action,
  actor: row.actor,
  target: row.target,
  ip: row.ip ?? undefined,
  userAgent: row.user_agent ?? undefined,
  requestId: row.request_id ?? undefined,
  meta: JSON.parse(row.meta) as AuditRecord['meta'],
})
