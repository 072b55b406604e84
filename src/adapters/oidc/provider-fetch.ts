import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

import { createPublicAddressCheck } from '../../lib/net/public-address.ts'

/** More than any discovery document, key set or token is. */
const maxAnswerBytes = 256 * 1024

interface Options {
  /** The operator's word: this host may be anywhere. */
  readonly issuer: URL
  readonly timeoutMs: number
}

interface Asked {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

export type ProviderFetch = (url: string, asked: Asked) => Promise<Response>

/**
 * Asks a provider. What its discovery document names besides its own host must be a public address, over
 * https; the address that was checked is the one that is connected to. Redirections are not followed.
 */
export function createProviderFetch({ issuer, timeoutMs }: Options): ProviderFetch {
  const isPublic = createPublicAddressCheck()
  return async (text, asked) => {
    const url = new URL(text)
    const signal = AbortSignal.timeout(timeoutMs)
    if (url.origin === issuer.origin) return await send(url, url.hostname, { ...asked, signal })
    if (url.protocol !== 'https:') throw new Error('the provider names a URL that is not https')
    const found = await addressesOf(url)
    const address = found.find(isPublic)
    if (address === undefined) throw new Error('the provider names a private address')
    return await send(url, address, { ...asked, signal })
  }
}

async function addressesOf({ hostname }: URL): Promise<readonly string[]> {
  const bare = hostname.replaceAll(/[[\]]/gu, '')
  if (isIP(bare) !== 0) return [bare]
  return (await lookup(bare, { all: true })).map(({ address }) => address)
}

async function send(
  url: URL,
  address: string,
  { method = 'GET', headers = {}, body = '', signal }: Asked & { readonly signal: AbortSignal },
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const isSecure = url.protocol === 'https:'
  const outgoing = (isSecure ? requestHttps : requestHttp)({
    method,
    host: address.replaceAll(/[[\]]/gu, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    ...(isSecure && { servername: url.hostname }),
    headers: {
      ...headers,
      host: url.host,
      'accept-encoding': 'identity',
      ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    signal,
  })
  outgoing.on('error', reject)
  outgoing.on('response', (incoming) => {
    read(incoming).then(resolve, (cause: unknown) => {
      outgoing.destroy()
      reject(cause)
    })
  })
  outgoing.end(body)
  return await promise
}

async function read(incoming: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('the provider answers with too much')
    chunks.push(chunk)
  }
  const headers = { 'content-type': incoming.headers['content-type'] ?? '' }
  return new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 502, headers })
}
