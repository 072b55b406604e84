import { createClient } from '../client.ts'
import type { Client } from '../types.ts'

/** A client of the service at a URL, by the right of a token or of the URL of an upload grant. */
export function clientFor(url: string, right: string): Client {
  const grant = /[?&]grant=([^&]*)/u.exec(right)?.[1]
  if (grant === undefined) return createClient({ url, token: right || undefined })
  return createClient({ url, fetch: (asked) => fetchWith(grant, asked) })
}

/** A body that came as a stream would take HTTP/2; a piece is small enough to be read whole. */
async function fetchWith(grant: string, asked: Request): Promise<Response> {
  const { url, method, headers, signal } = asked
  const body = method === 'GET' ? null : await asked.blob()
  const granted = `${url}${url.includes('?') ? '&' : '?'}grant=${grant}`
  return await fetch(granted, { method, headers, signal, body })
}
