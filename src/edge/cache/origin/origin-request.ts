import { appendMember, conditionFields, withoutHopByHop } from '../rfc9111/message-fields.ts'
import type { StoredResponse } from '../store/stored-response.ts'

/**
 * Sends `upstream`, made for `client`'s sake, to the origin. Rejects where that cannot be reached.
 * Redirects are answers; bodies stay coded as they are.
 */
export type FetchOrigin = (upstream: Request, client: Request) => Promise<Response>

/** The request as it goes to the origin, unchanged but for what concerns one connection, and Via. */
export function forwardedRequest(request: Request, via: string): Request {
  const headers = endToEndFields(request, via)
  const { method, signal } = request
  if (method === 'GET' || method === 'HEAD')
    return new Request(request.url, { method, headers, signal, redirect: 'manual' })
  return new Request(request.url, {
    method,
    headers,
    signal,
    body: request.body,
    redirect: 'manual',
    ...(request.body === null ? {} : { duplex: 'half' }),
  })
}

/**
 * A request whose answer is to be stored: for the whole representation whatever the client asked, and
 * on condition that it is not the one we have. It outlives the client's interest.
 */
export function fillingRequest(
  request: Request,
  via: string,
  candidate: StoredResponse | undefined,
): Request {
  const headers = endToEndFields(request, via)
  for (const name of conditionFields) headers.delete(name)
  const etag = candidate?.headers.get('etag')
  const lastModified = candidate?.headers.get('last-modified')
  if (etag != null) headers.set('if-none-match', etag)
  if (lastModified != null) headers.set('if-modified-since', lastModified)
  return new Request(request.url, { method: 'GET', headers, redirect: 'manual' })
}

function endToEndFields(request: Request, via: string): Headers {
  const headers = withoutHopByHop(request.headers)
  // A body on GET is not passed on (it would be outside the key), so neither is its length.
  if (request.method === 'GET' || request.method === 'HEAD') headers.delete('content-length')
  appendMember(headers, 'via', via)
  return headers
}
