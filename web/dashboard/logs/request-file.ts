import type { LogEntry, Input } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { csvOf, saveText } from '../parts/csv.ts'

/** No more is put in a file. */
const maxRows = 10_000
const pageSize = 500

type Format = 'csv' | 'ndjson'

/** Saves what fits a query as a file, up to 10,000 requests. */
export async function saveRequests(input: Input<'listLogs'>, format: Format): Promise<void> {
  const entries: LogEntry[] = []
  let cursor: string | undefined
  do {
    const page = await client.listLogs({ ...input, limit: pageSize, ...(cursor && { cursor }) })
    entries.push(...page.Entries)
    cursor = page.Cursor ?? undefined
  } while (cursor !== undefined && entries.length < maxRows)
  const kept = entries.slice(0, maxRows)
  if (format === 'csv') saveText('requests.csv', csvOf(head, kept.map(rowOf)), 'text/csv')
  else {
    const text = kept.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    saveText('requests.ndjson', text, 'application/x-ndjson')
  }
}

const head = [
  'time',
  'status',
  'method',
  'path',
  'ms',
  'bytes',
  'cache',
  'zone',
  'by',
  'name',
  'country',
  'network',
  'referrer',
  'agent',
  'code',
  'reason',
  'operation',
  'id',
]

const rowOf = (entry: LogEntry) => [
  entry.timestamp,
  entry.status,
  entry.method,
  entry.path,
  entry.ms,
  entry.bytes,
  entry.cache,
  entry.zone,
  entry.by?.kind,
  entry.by?.name ?? entry.by?.id,
  entry.country,
  entry.network,
  entry.referrer,
  entry.agent,
  entry.code,
  entry.reason,
  entry.operation,
  entry.requestId,
]
