import { lookup } from 'node:dns/promises'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'

import type {
  WebhookResponse,
  WebhookRequest,
  WebhookSender,
} from '../../ports/webhooks/webhook-sender.ts'
import {
  createTargetFinder,
  type FindTarget,
  type OutboundTarget,
  type ResolveName,
  TargetRefusedError,
} from './outbound-target.ts'
import { type OpenRequest, postOnce, type RawResponse, StaleConnectionError } from './post-once.ts'

export interface NodeWebhookSenderOptions {
  /** Lets requests go to private addresses and over http; for tests alone. */
  readonly allowPrivate: boolean
  readonly monotonicMs: () => number
  readonly resolve?: ResolveName
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  /** Trusted besides the well-known ones. */
  readonly certificateAuthority?: string
  /** Told of every connection that is about to be used. */
  readonly onRequest?: (address: string) => void
}

const keptAnswerBytes = 1024
const lookUpMs = 2_000
/** Shorter than servers keep idle connections, so that few are used just as they close. */
const idleMs = 4_000
const maxSocketsPerAddress = 8
/** Another address of the same host may do better. */
const unreachable = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/u
const maxAddresses = 3

/**
 * Requests through `node:http`. It is given the checked address to connect to, never the name, so no
 * second look-up can lead elsewhere; unlike `fetch` it heeds no proxy settings and no redirects.
 */
export class NodeWebhookSender implements WebhookSender, AsyncDisposable {
  readonly #options: Required<Pick<NodeWebhookSenderOptions, 'timeoutMs' | 'maxAnswerBytes'>> &
    NodeWebhookSenderOptions
  readonly #findTarget: FindTarget
  readonly #plain: http.Agent
  readonly #secure: https.Agent

  constructor(options: NodeWebhookSenderOptions) {
    const { allowPrivate, certificateAuthority, resolve = lookUp } = options
    this.#options = { timeoutMs: 15_000, maxAnswerBytes: 65_536, ...options }
    this.#findTarget = createTargetFinder({ resolve, allowPrivate })
    const pool = { keepAlive: true, maxSockets: maxSocketsPerAddress, timeout: idleMs }
    this.#plain = new http.Agent(pool)
    this.#secure = new https.Agent({
      ...pool,
      ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
    })
  }

  async send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse> {
    const { monotonicMs, timeoutMs } = this.#options
    const startedMs = monotonicMs()
    const ending = new AbortController()
    const end = () => ending.abort(new Error('ended'))
    const timer = setTimeout(() => ending.abort(new TimeoutError()), timeoutMs)
    signal?.addEventListener('abort', end)
    const answer = await this.#exchange(request, ending.signal).then(answerOf, faultOf)
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    return { ...answer, durationMs: monotonicMs() - startedMs }
  }

  async refusalOf(url: string): Promise<string | undefined> {
    try {
      await withinTime(this.#findTarget(url), AbortSignal.timeout(lookUpMs))
      return undefined
    } catch (error) {
      return error instanceof TargetRefusedError ? error.message : undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  async #exchange(request: WebhookRequest, signal: AbortSignal): Promise<RawResponse> {
    const target = await withinTime(this.#findTarget(request.url), signal)
    let fault: unknown
    for (const address of target.addresses.slice(0, maxAddresses))
      try {
        return await this.#post({ target, address, request, signal })
      } catch (error) {
        fault = error
        if (!unreachable.test(codeOf(error))) break
      }
    throw fault
  }

  async #post(call: Call): Promise<RawResponse> {
    const { target, address, request, signal } = call
    const { url } = target
    const { maxAnswerBytes, onRequest } = this.#options
    const open: OpenRequest = (options) => {
      onRequest?.(address)
      return url.protocol === 'https:'
        ? https.request({ ...options, agent: this.#secure })
        : http.request({ ...options, agent: this.#plain })
    }
    const exchange = { url, address, request, maxAnswerBytes, signal, open }
    for (let stale = 0; ; stale += 1)
      try {
        return await postOnce(exchange)
      } catch (error) {
        // As many may be stale as are kept; the one after them is new.
        if (!(error instanceof StaleConnectionError) || stale > maxSocketsPerAddress) throw error
      }
  }
}

interface Call {
  readonly target: OutboundTarget
  readonly address: string
  readonly request: WebhookRequest
  readonly signal: AbortSignal
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

const lookUp: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

/** A look-up cannot be stopped; whoever waits for it can. */
async function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const answerOf = ({
  status,
  headers,
  body,
  isCut,
}: RawResponse): Omit<WebhookResponse, 'durationMs'> => ({
  status,
  headers: keptHeaders(headers),
  error: isCut ? 'the answer was longer than is read' : undefined,
  body: new TextDecoder().decode(body.subarray(0, keptAnswerBytes)).replaceAll('\0', '\u{fffd}'),
})

const faultOf = (fault: unknown): Omit<WebhookResponse, 'durationMs'> => ({
  status: undefined,
  error: describe(fault),
  headers: {},
  body: '',
})

const maxKeptHeaders = 20
const maxHeaderName = 64
const maxHeaderValue = 256

/** Not cookies: they are the receiver's secrets. */
function keptHeaders(headers: IncomingHttpHeaders): WebhookResponse['headers'] {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== 'set-cookie' && name.length <= maxHeaderName,
  )
  return Object.fromEntries(
    kept
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [name, String(value).slice(0, maxHeaderValue)]),
  )
}

/** In our own words: what libraries say names parts of this machine. */
function describe(fault: unknown): string {
  if (fault instanceof TargetRefusedError) return `url ${fault.message}`
  if (fault instanceof TimeoutError) return 'no whole answer came in time'
  const code = codeOf(fault)
  if (unreachable.test(code)) return `no connection could be made (${code})`
  if (/^(?:ENOTFOUND|EAI_|DNS_)/u.test(code)) return 'the host name cannot be looked up'
  if (/CERT|SIGNED|TLS|SSL/u.test(code)) return `the certificate is not accepted (${code})`
  if (code.startsWith('HPE_')) return 'what came back is not an HTTP answer'
  return code === ''
    ? 'the connection ended before a whole answer'
    : `the connection failed (${code})`
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof StaleConnectionError ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
