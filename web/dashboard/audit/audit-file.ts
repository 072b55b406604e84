import type { Input } from '../../../src/client/types.ts'
import { saveText } from '../parts/csv.ts'
import { readPagedCsv } from '../api/paged-csv.ts'

const pageSize = 5_000
/** No more is put in a file. */
const maxPages = 10

/** Saves what fits as a file, up to 50,000 changes. */
export async function saveAudit(input: Omit<Input<'listAuditLogs'>, 'headers'>): Promise<void> {
  const query = new URLSearchParams({ format: 'csv', limit: String(pageSize) })
  for (const [name, value] of Object.entries(input)) query.set(name, String(value))
  const text = await readPagedCsv({ url: `/api/core/audit-logs?${query}`, maxPages })
  saveText('audit.csv', text, 'text/csv')
}
