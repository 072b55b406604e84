import { applyHeaderRules, hasHeaderRules } from '../../domain/content/rules/books/book-headers.ts'
import type { RuleBook } from '../../domain/content/rules/books/rule-books.ts'
import type { RuledUrl } from '../../domain/content/rules/books/ruled-url.ts'
import type { FieldList } from '../../domain/content/rules/headers/header-rules.ts'
import { sanitiseField } from '../../domain/content/rules/headers/sanitise-rule.ts'
import { sandboxPolicy } from '../../lib/text/media-types.ts'

/** What rules may not change in a refusal: who handled it, what it is made of, and that nobody keeps it. */
const refusalFields = ['allow', 'cache-control', 'content-type', 'x-api-version', 'x-request-id']

/** Fields after the `_headers` files, as `Headers`. */
export function ruledHeaders(book: RuleBook, url: RuledUrl, fields: FieldList): Headers {
  const headers = new Headers()
  for (const [name, value] of applyHeaderRules(book, url, fields)) headers.append(name, value)
  if (hasHeaderRules(book)) headers.delete(sanitiseField)
  return headers
}

/** A refusal or redirect after the `_headers` files. Faults of the service are left as they are. */
export function ruledResponse(book: RuleBook, url: RuledUrl, response: Response): Response {
  if (!hasHeaderRules(book) || response.status >= 500) return response
  const headers = ruledHeaders(book, url, [...response.headers])
  if (response.status >= 400) {
    for (const name of refusalFields) restore(headers, name, response.headers.get(name))
    if (response.headers.has(policyField)) liftSandbox(headers)
  }
  return new Response(response.body, { status: response.status, headers })
}

const policyField = 'content-security-policy'

/** A page in the service's own words has a policy of its own. The one of what zones store would stop its form. */
function liftSandbox(headers: Headers): void {
  const others = (headers.get(policyField) ?? '')
    .split(', ')
    .filter((policy) => policy !== sandboxPolicy)
  headers.set(policyField, others.join(', '))
}

function restore(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name)
  else headers.set(name, value)
}
