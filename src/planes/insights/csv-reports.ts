import { preferredMediaType } from '../../http/request/accept.ts'
import { oneOf } from '../../http/request/query.ts'
import { csv } from '../../lib/text/csv.ts'

/** `format` of a query. */
export const format = oneOf(
  ['json', 'csv'],
  'What is sent; left out, `Accept` says whether it is `text/csv`',
).optional()

export const csvType = 'text/csv'

interface Wanted {
  readonly query: { readonly format?: 'json' | 'csv' | undefined }
  readonly request: Request
}

export const wantsCsv = ({ query, request }: Wanted): boolean =>
  query.format === undefined
    ? preferredMediaType(request.headers.get('accept'), ['application/json', csvType]) === csvType
    : query.format === 'csv'

interface Table {
  /** Of the file. */
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export const csvResponse = ({ name, columns, rows }: Table): Response =>
  new Response(csv(columns, rows), {
    headers: {
      'Content-Type': `${csvType}; charset=utf-8; header=present`,
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
      Vary: 'Accept',
    },
  })
