import type { Operation } from '../operation.ts'

const methodOverrideField = 'x-http-method-override'
/** No operation has it, so it is refused as any other method that the URL does not take. */
const unknownMethod = 'UNKNOWN'
const knownMethods: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
])

/**
 * The request by the method that `X-HTTP-Method-Override` names, at URLs whose protocol asks for that.
 * Elsewhere the field means nothing: it must not turn what a form can send into something else.
 */
export function methodOverride(operations: readonly Operation[]): (request: Request) => Request {
  const bases = [
    ...new Set(
      operations
        .filter(({ protocol }) => protocol?.takesMethodOverride === true)
        .map(({ path }) => path.split('/{')[0] ?? ''),
    ),
  ]
  const isConcerned = (url: string): boolean => {
    const { pathname } = new URL(url)
    return bases.some((base) => pathname === base || pathname.startsWith(`${base}/`))
  }
  return (request) => {
    const said = request.headers.get(methodOverrideField)
    if (said === null || !isConcerned(request.url)) return request
    const method = knownMethods.has(said.toUpperCase()) ? said.toUpperCase() : unknownMethod
    const { url, headers, signal } = request
    const body = method === 'GET' || method === 'HEAD' ? null : request.body
    return new Request(url, { method, headers, body, signal })
  }
}
