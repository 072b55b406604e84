import { ServiceError } from '../../../domain/errors.ts'

export interface OriginClientOptions {
  /** Scheme, host and port. A path in it is put in front of every request's. It may change. */
  readonly origin: URL | (() => URL)
  /** Whether the origin is asked by the client's Host rather than its own. */
  readonly keepsHost?: boolean
  readonly clientAddressOf: (client: Request) => string | undefined
  /** The field by which the origin is told the country of a client, and what that is. */
  readonly country?: {
    readonly header: string
    readonly of: (client: Request) => string | undefined
  }
  /** Fields for the origin beside the client's. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * How long the origin may take to begin its answer once it has all of the request, and to take each piece
   * of a body before that.
   */
  readonly headersTimeoutMs?: number
  /** How long it may fall silent within one. */
  readonly idleTimeoutMs?: number
}

/**
 * Fields by which a client could make an origin answer as if another host, address, country or method had been
 * asked. They are not in the key, so what they say must not reach an origin whose answer is stored.
 */
const claims = [
  'cf-connecting-ip',
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'fastly-client-ip',
  'true-client-ip',
  'x-appengine-country',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-country',
  'x-country-code',
  'x-geo-country',
  'x-vercel-ip-country',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-host',
  'x-http-host-override',
  'x-original-host',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
] as const
const methodClaims = ['x-http-method', 'x-http-method-override', 'x-method-override'] as const

const defaultHeadersTimeoutMs = 30_000
const defaultIdleTimeoutMs = 60_000

/**
 * How a cache reaches an origin over HTTP: bodies stream both ways and stay coded as they are, redirects
 * are answers. Where the origin cannot be reached, is too slow to begin or answers with what is not
 * HTTP, it rejects with `Unavailable`; where it falls silent within a body, the body fails.
 *
 * Interim (1xx) answers end here: Bun's client does not show them and its server cannot send them,
 * but for 100, which the server sends of its own accord.
 */
export function createOriginClient(
  options: OriginClientOptions,
): (upstream: Request, client: Request) => Promise<Response> {
  const { origin, headersTimeoutMs = defaultHeadersTimeoutMs } = options
  const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs

  return async (upstream, client) => {
    const silence = createSilenceAlarm(upstream.signal)
    const sending = { silence, timeoutMs: headersTimeoutMs, isAnswered: false }
    silence.set(headersTimeoutMs)
    try {
      const url = typeof origin === 'function' ? origin() : origin
      const response = await fetch(baseOf(url) + pathOf(upstream.url), {
        method: upstream.method,
        headers: originHeaders({ upstream, client, host: url.host }, options),
        body: upstream.body && watchedBody(upstream.body, sending),
        redirect: 'manual',
        decompress: false,
        signal: silence.signal,
      })
      sending.isAnswered = true
      silence.set(idleTimeoutMs)
      return guardedResponse(response, silence, idleTimeoutMs)
    } catch (cause) {
      silence.clear()
      throw new ServiceError('Unavailable', 'the origin did not answer', { cause })
    }
  }
}

const baseOf = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/$/u, '')

interface Asked {
  readonly upstream: Request
  readonly client: Request
  /** The origin's own. */
  readonly host: string
}

function originHeaders(
  { upstream, client, host: originHost }: Asked,
  options: OriginClientOptions,
): Headers {
  const headers = new Headers(upstream.headers)
  const isRead = upstream.method === 'GET' || upstream.method === 'HEAD'
  for (const name of isRead ? [...claims, ...methodClaims] : claims) headers.delete(name)
  const { host, protocol } = new URL(client.url)
  headers.set('x-forwarded-host', host)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  setOwn(headers, 'x-forwarded-for', options.clientAddressOf(client))
  const { country } = options
  if (country) setOwn(headers, country.header, country.of(client))
  headers.set('host', options.keepsHost === true ? host : originHost)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  // Bun would put its own name and `*/*` where the client said nothing.
  for (const name of ['user-agent', 'accept']) if (!headers.has(name)) headers.set(name, '')
  return headers
}

/** What the client itself says under that name does not count. */
function setOwn(headers: Headers, name: string, value: string | undefined): void {
  headers.delete(name)
  if (value !== undefined) headers.set(name, value)
}

/** The slowest that an origin may work through a body that it has whole, to store it. */
const bytesPerMs = 10_000

interface Sending {
  readonly silence: SilenceAlarm
  readonly timeoutMs: number
  /** From then on the clock is that of the response. */
  isAnswered: boolean
}

/**
 * The body as the client sends it. The clock runs while the origin does not take what is there, and once
 * it has all; how long a client takes is for the listener to bound.
 */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  sending: Sending,
): ReadableStream<Uint8Array> {
  const { silence, timeoutMs } = sending
  const reader = body.getReader()
  let sentBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!sending.isAnswered) silence.clear()
        const { done, value } = await reader.read()
        sentBytes += value?.length ?? 0
        if (!sending.isAnswered) silence.set(timeoutMs + (done ? sentBytes / bytesPerMs : 0))
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** A status outside 200..599 cannot be answered with. */
function guardedResponse(
  response: Response,
  silence: SilenceAlarm,
  idleTimeoutMs: number,
): Response {
  const { status, statusText, headers, body } = response
  if (status < 200 || status > 599) throw new Error(`The origin answered with status ${status}`)
  if (body === null) silence.clear()
  const guarded = body === null ? null : withIdleTimeout(body, silence, idleTimeoutMs)
  return new Response(guarded, { status, statusText, headers })
}

function withIdleTimeout(
  body: ReadableStream<Uint8Array>,
  silence: SilenceAlarm,
  idleTimeoutMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // The clock runs only while somebody waits for the origin.
  silence.clear()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        silence.set(idleTimeoutMs)
        // Whatever ends the wait: an alarm left set keeps a process from ending for as long.
        const { done, value } = await reader.read().finally(() => silence.clear())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

interface SilenceAlarm {
  /** Aborts when the client does, or when the alarm goes off. */
  readonly signal: AbortSignal
  set(afterMs: number): void
  clear(): void
}

function createSilenceAlarm(client: AbortSignal): SilenceAlarm {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    signal: AbortSignal.any([client, controller.signal]),
    set(afterMs) {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(new Error('The origin fell silent')), afterMs)
    },
    clear: () => clearTimeout(timer),
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
