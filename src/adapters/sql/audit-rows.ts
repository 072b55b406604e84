import type { Kysely } from 'kysely'

import type { AuditRecord } from '../../ports/publication-store.ts'
import { BatchStatement } from './batch-statement.ts'
import type { AuditTable, Schema } from './schema.ts'

export interface NumberedAuditRecord {
  readonly seq: number
  readonly record: AuditRecord
}

export const createAuditWriter = (queries: Kysely<Schema>): BatchStatement<NumberedAuditRecord> =>
  new BatchStatement<NumberedAuditRecord>({
    compile: (count) =>
      queries
        .insertInto('audit')
        .values(Array.from({ length: count }, () => rowOf({ seq: 0, record: placeholder })))
        .compile(),
    parametersOf: (numbered) => Object.values(rowOf(numbered)),
  })

/** Its values are the parameters of a row, so the members are always in this order. */
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

const placeholder: AuditRecord = {
  at: new Date(0),
  action: '',
  actor: '',
  target: '',
  ip: undefined,
  userAgent: undefined,
  requestId: undefined,
  meta: {},
}
