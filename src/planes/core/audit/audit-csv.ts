import { csvResponse } from '../../insights/csv-reports.ts'
import type { AuditEntry } from './audit-entries.ts'

interface Page {
  readonly request: Request
  /** Where to go on; null at the end. */
  readonly cursor: string | null
}

/** The entries as a table; where there is more, `Link` says where (RFC 8288). */
export function auditCsv(entries: readonly AuditEntry[], { request, cursor }: Page): Response {
  const response = csvResponse({ name: 'audit', columns, rows: entries.map(rowOf) })
  if (cursor === null) return response
  const next = new URL(request.url)
  next.searchParams.set('cursor', cursor)
  response.headers.set('Link', `<${next.pathname}${next.search}>; rel="next"`)
  return response
}

const columns = [
  'time',
  'summary',
  'action',
  'target',
  'zones',
  'actor',
  'name',
  'commit',
  'before',
  'after',
  'ip',
  'agent',
  'id',
]

const rowOf = (each: AuditEntry): readonly (string | null)[] => [
  each.timestamp,
  each.summary,
  each.action,
  each.target,
  each.zones.join(' '),
  each.actor,
  each.by?.name ?? null,
  each.commit,
  each.before && JSON.stringify(each.before),
  each.after && JSON.stringify(each.after),
  each.ip,
  each.userAgent,
  each.requestId,
]
