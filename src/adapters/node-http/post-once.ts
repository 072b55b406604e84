import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'

import type { WebhookRequest } from '../../ports/webhooks/webhook-sender.ts'

export type OpenRequest = (
  options: RequestOptions & { readonly servername?: string },
) => ClientRequest

export interface Exchange {
  readonly url: URL
  /** An IP address: nothing is looked up any more. */
  readonly address: string
  readonly request: WebhookRequest
  readonly open: OpenRequest
  readonly maxAnswerBytes: number
  readonly signal: AbortSignal
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether there was more than is read. */
  readonly isCut: boolean
}

/** The connection had been used before, and was gone by the time it was used again. */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
}

const maxInterimAnswers = 8

/** One request on one connection. Rejects with whatever went wrong, or with the signal's reason. */
export async function postOnce(exchange: Exchange): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
  const { signal, request } = exchange
  signal.throwIfAborted()
  const outgoing = exchange.open(optionsOf(exchange))
  const abort = () => fail(signal.reason)
  function fail(cause: unknown): void {
    reject(cause)
    outgoing.destroy()
  }
  signal.addEventListener('abort', abort)
  let answer: IncomingMessage | undefined
  let interimAnswers = 0
  outgoing.on('information', () => {
    interimAnswers += 1
    if (interimAnswers > maxInterimAnswers) fail(new Error('too many interim answers'))
  })
  outgoing.on('response', (incoming) => {
    answer = incoming
    read(incoming, exchange.maxAnswerBytes).then(resolve, fail)
  })
  outgoing.on('upgrade', () => fail(new Error('the protocol was changed')))
  outgoing.on('error', (cause) => fail(staleOr(cause, outgoing, answer)))
  outgoing.on('close', () => {
    if (answer === undefined) fail(staleOr(new Error('closed'), outgoing, answer))
  })
  outgoing.end(request.body)
  try {
    const result = await promise
    if (result.isCut) outgoing.destroy()
    return result
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const optionsOf = ({ url, address, request }: Exchange) => ({
  method: 'POST',
  host: address,
  port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  path: `${url.pathname}${url.search}`,
  // The certificate has to be for the name, not for the address.
  ...(url.protocol === 'https:' && { servername: url.hostname.replace(/^\[|\]$/gu, '') }),
  headers: {
    ...request.headers,
    Host: url.host,
    'Content-Length': String(Buffer.byteLength(request.body)),
    'Accept-Encoding': 'identity',
  },
})

const staleOr = (
  cause: unknown,
  { reusedSocket }: ClientRequest,
  answer: IncomingMessage | undefined,
): unknown =>
  reusedSocket && answer === undefined ? new StaleConnectionError('stale', { cause }) : cause

async function read(incoming: IncomingMessage, maxBytes: number): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = incoming
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return { status, headers, body: Buffer.concat(chunks), isCut: true }
  }
  if (!incoming.complete) throw new Error('the answer broke off')
  return { status, headers, body: Buffer.concat(chunks), isCut: false }
}
