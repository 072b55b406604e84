import { sanitiseField } from '../domain/content/rules/sanitise-rule.ts'
import type { FieldList, RuleRequest } from '../domain/content/rules/header-rules.ts'
import type { RuleBook } from './rule-book.ts'

/** What rules may not change in a refusal: who handled it, what it is made of, and that nobody keeps it. */
const refusalFields = ['allow', 'cache-control', 'content-type', 'x-api-version', 'x-request-id']

/** Fields after the `_headers` file, as `Headers`. */
export function ruledHeaders(book: RuleBook, request: RuleRequest, fields: FieldList): Headers {
  const ruled = book.headers.blocks.length === 0 ? fields : book.headers.apply(request, fields)
  const headers = new Headers()
  for (const [name, value] of ruled) headers.append(name, value)
  if (ruled !== fields) headers.delete(sanitiseField)
  return headers
}

/** A refusal or redirect after the `_headers` file. Faults of the service are left as they are. */
export function ruledResponse(book: RuleBook, request: RuleRequest, response: Response): Response {
  if (book.headers.blocks.length === 0 || response.status >= 500) return response
  const headers = ruledHeaders(book, request, [...response.headers])
  if (response.status >= 400)
    for (const name of refusalFields) restore(headers, name, response.headers.get(name))
  return new Response(response.body, { status: response.status, headers })
}

function restore(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name)
  else headers.set(name, value)
}
