import { sanitiseField } from '../../domain/content/rules/headers/sanitise-rule.ts'
import type { FieldList } from '../../domain/content/rules/headers/header-rules.ts'
import { guardedOnOwnHost } from '../../domain/content/rules/headers/own-host-fields.ts'
import type { RequestedUrl } from '../routing/decision.ts'
import type { RuleBook } from '../routing/rule-book.ts'

/** What rules may not change in a refusal: who handled it, what it is made of, and that nobody keeps it. */
const refusalFields = ['allow', 'cache-control', 'content-type', 'x-api-version', 'x-request-id']

/** Fields after the `_headers` file, as `Headers`. */
export function ruledHeaders(book: RuleBook, url: RequestedUrl, fields: FieldList): Headers {
  const headers = new Headers()
  for (const [name, value] of ruledFields(book, url, fields)) headers.append(name, value)
  if (book.headers.blocks.length > 0) headers.delete(sanitiseField)
  return headers
}

function ruledFields(book: RuleBook, url: RequestedUrl, fields: FieldList): FieldList {
  if (book.headers.blocks.length === 0) return fields
  const ruled = book.headers.apply(url, fields)
  return url.isOwnHost ? guardedOnOwnHost(ruled) : ruled
}

/** A refusal or redirect after the `_headers` file. Faults of the service are left as they are. */
export function ruledResponse(book: RuleBook, url: RequestedUrl, response: Response): Response {
  if (book.headers.blocks.length === 0 || response.status >= 500) return response
  const headers = ruledHeaders(book, url, [...response.headers])
  if (response.status >= 400)
    for (const name of refusalFields) restore(headers, name, response.headers.get(name))
  return new Response(response.body, { status: response.status, headers })
}

function restore(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name)
  else headers.set(name, value)
}
