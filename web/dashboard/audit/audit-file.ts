import { csvOf, saveText } from '../parts/csv.ts'
import type { AuditEntry } from './audit-details.tsx'

/** Saves what is shown as a file. */
export const saveAudit = (entries: readonly AuditEntry[]): void =>
  saveText('audit.csv', csvOf(head, entries.map(rowOf)), 'text/csv')

const head = ['time', 'summary', 'action', 'target', 'zones', 'actor', 'name', 'ip', 'agent', 'id']

const rowOf = (entry: AuditEntry) => [
  entry.timestamp,
  entry.summary,
  entry.action,
  entry.target,
  entry.zones.join(' '),
  entry.actor,
  entry.by?.name,
  entry.ip,
  entry.userAgent,
  entry.requestId,
]
