import { isHarmless, sandboxPolicy } from '../lib/text/media-types.ts'
import { createHash } from 'node:crypto'

import { cacheLifetimes } from './response/cache-lifetimes.ts'
import { compress, minCompressedBytes, weakened } from './response/compression.ts'
import { evaluatePreconditions } from './request/conditional.ts'
import { heldWhereTaken } from './wire/held-response.ts'
import type { Exchange } from './exchange.ts'
import type { Reply } from './operation.ts'

/** A handler's reply as it goes out: with the exchange's headers, and without a body to `HEAD`. */
export async function toResponse(reply: Reply | Response, exchange: Exchange): Promise<Response> {
  return reply instanceof Response ? finish(reply, exchange) : await jsonResponse(reply, exchange)
}

async function finish(response: Response, { request, headers }: Exchange): Promise<Response> {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value)
  if (isActiveContent(response)) response.headers.set('Content-Security-Policy', sandboxPolicy)
  if (request.method !== 'HEAD') return response
  await response.body?.cancel()
  return new Response(null, response)
}

/** A stored document must not run as a page of this host, where an operator may be signed in. */
function isActiveContent(response: Response): boolean {
  const { headers } = response
  if (headers.has('Content-Security-Policy')) return false
  const type = headers.get('Content-Type')
  // To ask for the body is to make a stream of it.
  return type === null ? response.body !== null : !isHarmless(type)
}

async function jsonResponse(reply: Reply, exchange: Exchange): Promise<Response> {
  const { status, json } = reply
  const text = JSON.stringify(json)
  const headers: Headers = {
    ...exchange.headers,
    'Content-Type': 'application/json',
    ...(status === 200 && isPolled(exchange) && revalidated(text)),
    ...reply.headers,
  }
  if (isUnchanged(status, headers, exchange)) return new Response(null, { status: 304, headers })
  const body = await encode(text, headers, exchange.request)
  if (exchange.request.method !== 'HEAD') {
    exchange.bodyBytes = Buffer.byteLength(body)
    return heldWhereTaken(exchange.request, body, { status, headers })
  }
  headers['Content-Length'] = String(Buffer.byteLength(body))
  return new Response(null, { status, headers })
}

type Headers = Record<string, string>

/** What is read with a credential is a list, a report or a record: programs ask for it again and again. */
const isPolled = ({ operation }: Exchange): boolean =>
  operation !== undefined && operation.method === 'get' && operation.access !== 'public'

/** Weak: two responses that differ in when they were made are as good as each other. */
const revalidated = (text: string): Headers => ({
  ETag: `W/"${createHash('sha256').update(text.replace(dateFetched, '')).digest('base64url').slice(0, 22)}"`,
  'Cache-Control': cacheLifetimes.comparedEachTime,
})

const dateFetched = /"DateFetched":"[^"]*"/u

const isUnchanged = (status: number, headers: Headers, { request }: Exchange): boolean =>
  status === 200 &&
  headers['ETag'] !== undefined &&
  evaluatePreconditions(request, { etag: headers['ETag'], lastModified: undefined }) ===
    'not-modified'

/** Compresses where the client likes it, and then says so in `headers`. */
async function encode(
  text: string,
  headers: Headers,
  request: Request,
): Promise<string | Uint8Array<ArrayBuffer>> {
  if (text.length < minCompressedBytes) return text
  headers['Vary'] =
    headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`
  const compressed = await compress(Buffer.from(text), request.headers.get('accept-encoding'))
  if (compressed === undefined) return text
  headers['Content-Encoding'] = compressed.coding
  if (headers['ETag'] !== undefined) headers['ETag'] = weakened(headers['ETag'])
  return compressed.bytes
}
