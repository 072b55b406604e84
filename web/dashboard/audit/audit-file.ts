import type { Input } from '../../../src/client/types.ts'
import { saveText } from '../parts/csv.ts'

const pageSize = 5_000
/** No more is put in a file. */
const maxPages = 10

/** Saves what fits as a file, up to 50,000 changes, which the service writes page by page. */
export async function saveAudit(input: Input<'listAuditLogs'>): Promise<void> {
  const parts: string[] = []
  const query = new URLSearchParams({ format: 'csv', limit: String(pageSize) })
  for (const [name, value] of Object.entries(input)) query.set(name, String(value))
  let url: string | undefined = `/api/core/audit-logs?${query}`
  while (url !== undefined && parts.length < maxPages) {
    const response: Response = await fetch(url)
    if (!response.ok) throw new Error(`the audit log was refused with ${response.status}`)
    const text = await response.text()
    parts.push(parts.length === 0 ? text : withoutHead(text))
    url = nextIn(response.headers.get('link'))
  }
  saveText('audit.csv', parts.join(''), 'text/csv')
}

const withoutHead = (text: string): string => text.slice(text.indexOf('\r\n') + 2)

/** RFC 8288. */
const nextIn = (link: string | null): string | undefined =>
  /^<([^<>]{1,2000})>; rel="next"$/u.exec(link ?? '')?.[1]
