import { contentDigest } from '../../lib/bytes/checksums.ts'
import { isLoopback } from '../../lib/net/address-list.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import {
  type Acknowledgement,
  type EdgeOrigin,
  EdgeOriginError,
  type FeedMessage,
  type ImageCopy,
  type OriginBlob,
  type OriginSlice,
  type PastRequest,
  type QuotaLease,
} from '../../ports/edges/edge-origin.ts'
import { readDictionary } from '../../lib/text/structured-fields.ts'
import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import { readEvents } from './event-reader.ts'

export interface HttpEdgeOriginOptions {
  /** Scheme, host and port, maybe with a path in front of all others. It may change. */
  readonly url: () => URL
  readonly token: Secret
  /** e.g. `Sedge/1.0`. */
  readonly userAgent: string
  readonly monotonicMs: () => number
  /** Whether keys may come over plain HTTP from another machine. */
  readonly keysOverHttp?: boolean
  readonly timeouts?: Partial<Timeouts>
}

interface Timeouts {
  /** A feed that says nothing at all for so long is lost. The other side gives a sign every 5 s. */
  readonly silenceMs: number
  /** A stream or a body that has not begun by then does not get through. */
  readonly firstMs: number
  /** After that, so long single responses are asked for instead. */
  readonly pollForMs: number
  readonly responseMs: number
}

const defaultTimeouts: Timeouts = {
  silenceMs: 15_000,
  firstMs: 8_000,
  pollForMs: 300_000,
  responseMs: 60_000,
}

const pollWaitSeconds = 20

/** The origin over HTTP, with a token. */
export class HttpEdgeOrigin implements EdgeOrigin {
  readonly #url: () => URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #monotonicMs: () => number
  readonly #timeouts: Timeouts
  readonly #keysOverHttp: boolean
  #pollsUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: HttpEdgeOriginOptions) {
    const { url, token, userAgent, monotonicMs, timeouts, keysOverHttp = false } = options
    this.#url = url
    this.#headers = {
      Authorization: `Bearer ${token.reveal()}`,
      'User-Agent': userAgent,
    }
    this.#monotonicMs = monotonicMs
    this.#keysOverHttp = keysOverHttp
    this.#timeouts = { ...defaultTimeouts, ...timeouts }
  }

  async *feed(since: string, signal: AbortSignal): AsyncGenerator<FeedMessage, void> {
    const polls = this.#monotonicMs() < this.#pollsUntilMs
    yield* polls ? this.#poll(since, signal) : this.#stream(since, signal)
  }

  async manifest(): Promise<string> {
    return await (await this.#get('manifest')).text()
  }

  async part(name: string): Promise<string | undefined> {
    return await (await this.#find(`manifest/${encodeURIComponent(name)}`))?.text()
  }

  async blob(sha256: string, maxBytes: number): Promise<OriginBlob | undefined> {
    const response = await this.#askForBytes(sha256, { start: 0, end: maxBytes })
    if (response === undefined) return undefined
    const sizeBytes = totalOf(response)
    if (sizeBytes === undefined || sizeBytes <= maxBytes)
      return { kind: 'whole', body: response.body ?? emptyBody() }
    await response.body?.cancel().catch(() => {})
    return { kind: 'large', sizeBytes }
  }

  async slice(
    { sha256, sizeBytes, start, end }: OriginSlice,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#askForBytes(sha256, { start, end }, signal)
    if (response?.status !== 206 || totalOf(response) !== sizeBytes) {
      await response?.body?.cancel().catch(() => {})
      throw new EdgeOriginError('The origin has other bytes than it had')
    }
    const bytes = await response.bytes().catch((cause: unknown) => {
      throw asOriginError(cause)
    })
    if (bytes.length !== end - start || !isDigestOf(response.headers.get('content-digest'), bytes))
      throw new EdgeOriginError('Some bytes did not arrive as they were')
    return bytes
  }

  async certificates(): Promise<string> {
    this.#requirePrivateWay()
    return await (await this.#get('certificates')).text()
  }

  async certificate(hostname: string): Promise<string | undefined> {
    this.#requirePrivateWay()
    return await (await this.#find(`certificates/${encodeURIComponent(hostname)}`))?.text()
  }

  async facts(sha256: string): Promise<string | undefined> {
    const asking = { signal: AbortSignal.timeout(this.#timeouts.firstMs) }
    return await (await this.#find(`facts/${sha256}`, asking))?.text()
  }

  async streamIndex(sha256: string): Promise<Uint8Array | undefined> {
    return await (await this.#find(`stream-indexes/${sha256}`))?.bytes()
  }

  async copy(key: string): Promise<ImageCopy | undefined> {
    const response = await this.#find(`copies/${key}`)
    if (response === undefined) return undefined
    const bytes = await response.bytes()
    const digest = contentDigest(bytes)
    if (response.headers.get('etag') !== `"${digest}"`)
      throw new EdgeOriginError('A copy of an image did not arrive as it was')
    return { bytes, digest }
  }

  async past(request: PastRequest): Promise<unknown> {
    const response = await this.#post(
      'past',
      'commit' in request
        ? { Commit: request.commit, Paths: request.paths }
        : { Zone: request.zone, Time: request.moment.toISOString() },
    )
    return await response.json()
  }

  async acknowledge(acknowledgements: readonly Acknowledgement[]): Promise<number> {
    const response = await this.#post('acknowledgements', {
      Edges: acknowledgements.map(({ name, seq, via }) => ({
        Name: name,
        Seq: seq,
        Via: via ?? null,
      })),
    })
    // A service that does not say so yet is taken to stand where the edge does.
    return ((await response.json()) as { Seq?: number }).Seq ?? 0
  }

  async record(flushes: readonly TrafficFlush[]): Promise<void> {
    await this.#post('traffic', {
      Flushes: flushes.map(({ beacons: _beacons, ...flush }) => flush),
    })
  }

  async leaseQuota({ name, amount, owed }: QuotaLease): Promise<number> {
    const response = await this.#post('quota', { Name: name, Amount: amount, Owed: owed })
    return ((await response.json()) as { Granted: number }).Granted
  }

  /** `undefined` where there is no such blob. Of a blob without bytes there is no part. */
  async #askForBytes(
    sha256: string,
    { start, end }: Pick<OriginSlice, 'start' | 'end'>,
    leaving?: AbortSignal,
  ): Promise<Response | undefined> {
    const { firstMs, responseMs } = this.#timeouts
    const slow = new AbortController()
    const timer = setTimeout(() => slow.abort(), firstMs)
    const signals = [slow.signal, AbortSignal.timeout(responseMs), ...(leaving ? [leaving] : [])]
    try {
      return await this.#find(`blobs/${sha256}`, {
        headers: {
          'Accept-Encoding': 'identity',
          Range: `bytes=${start}-${end - 1}`,
          ...(leaving && { 'Want-Content-Digest': 'sha-256=1' }),
        },
        signal: AbortSignal.any(signals),
        takesEmpty: true,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async *#stream(since: string, signal: AbortSignal): AsyncGenerator<FeedMessage, void> {
    const { silenceMs, firstMs, pollForMs } = this.#timeouts
    const alarm = new AbortController()
    let hasBegun = false
    let timer = setTimeout(() => alarm.abort(), firstMs)
    const path = `feed?since=${encodeURIComponent(since)}`
    try {
      const headers = { Accept: 'text/event-stream', 'Accept-Encoding': 'identity' }
      const both = AbortSignal.any([signal, alarm.signal])
      const { body } = await this.#ask(path, { headers, signal: both })
      for await (const event of readEvents(body ?? emptyBody())) {
        clearTimeout(timer)
        hasBegun = true
        // Whoever shows a large change takes its time, and listens to nothing meanwhile.
        if (event.kind === 'event') yield messageOf(event.name, event.data)
        timer = setTimeout(() => alarm.abort(), silenceMs)
      }
    } catch (cause) {
      if (alarm.signal.aborted && !hasBegun) this.#pollsUntilMs = this.#monotonicMs() + pollForMs
      throw asOriginError(cause)
    } finally {
      clearTimeout(timer)
      alarm.abort()
    }
  }

  async *#poll(since: string, signal: AbortSignal): AsyncGenerator<FeedMessage, void> {
    let position = since
    let wait = 0
    while (this.#monotonicMs() < this.#pollsUntilMs) {
      const path = `changes?since=${encodeURIComponent(position)}&wait=${wait}`
      const timeout = AbortSignal.timeout(wait * 1000 + this.#timeouts.firstMs)
      const response = await this.#ask(path, { signal: AbortSignal.any([signal, timeout]) })
      const { Position, Kind, Change } = (await response.json()) as PollMessage
      position = Position
      wait = pollWaitSeconds
      yield messageOf(Kind, JSON.stringify(Change))
    }
  }

  #requirePrivateWay(): void {
    const { protocol, hostname } = this.#url()
    if (protocol !== 'https:' && !this.#keysOverHttp && !isLoopback(hostname))
      throw new EdgeOriginError(
        'Keys of certificates are not asked for over plain HTTP: use an https URL of the origin, or EDGE_KEYS_OVER_HTTP in a network that nobody else is in',
      )
  }

  async #get(path: string): Promise<Response> {
    return await this.#ask(path, { signal: AbortSignal.timeout(this.#timeouts.responseMs) })
  }

  async #find(path: string, asking?: Asking): Promise<Response | undefined> {
    try {
      return await (asking === undefined ? this.#get(path) : this.#ask(path, asking))
    } catch (error) {
      if (error instanceof NotThereError) return undefined
      throw error
    }
  }

  async #post(path: string, json: unknown): Promise<Response> {
    return await this.#ask(path, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(this.#timeouts.responseMs),
    })
  }

  async #ask(path: string, { headers, takesEmpty = false, ...init }: Asking): Promise<Response> {
    try {
      const { origin, pathname } = this.#url()
      const base = origin + pathname.replace(/\/$/u, '')
      const response = await fetch(`${base}/api/edges/${path}`, {
        ...init,
        headers: { ...this.#headers, ...headers },
        redirect: 'error',
        timeout: false,
      } as RequestInit)
      if (response.ok) return response
      if (takesEmpty && isEmpty(response)) return new Response()
      throw await refusalOf(response)
    } catch (cause) {
      throw asOriginError(cause)
    }
  }
}

interface Asking extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a refused range of nothing is a response without bytes. */
  readonly takesEmpty?: boolean
}

const isEmpty = ({ status, headers }: Response): boolean =>
  status === 416 && headers.get('content-range') === 'bytes */0'

/** From `Content-Range: bytes 0-9/100`; `undefined` where all the bytes came. */
function totalOf({ headers }: Response): number | undefined {
  const text = /^bytes \d+-\d+\/(\d{1,15})$/u.exec(headers.get('content-range') ?? '')?.[1]
  return text === undefined ? undefined : Number(text)
}

/** RFC 9530 §2: of what was sent, not of the whole blob. */
function isDigestOf(field: string | null, bytes: Uint8Array): boolean {
  const given = field === null ? undefined : readDictionary(field)?.get('sha-256')
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest()
  return given instanceof Uint8Array && digest.equals(given)
}

const emptyBody = (): ReadableStream<Uint8Array> => new Blob([]).stream()

interface PollMessage {
  readonly Position: string
  readonly Kind: string
  readonly Change: unknown
}

const messageOf = (kind: string, text: string): FeedMessage =>
  kind === 'change' ? { kind, text } : { kind: 'resync' }

/** For which the callers have a response of their own. */
class NotThereError extends EdgeOriginError {}

/** Later the same may be taken, when it was for the credential or the rate. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

async function refusalOf(response: Response): Promise<EdgeOriginError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  // Erased bytes (451) are not there for anybody.
  if (status === 404 || status === 451)
    return new NotThereError('There is no such thing at the origin')
  const isRefusal = status >= 400 && status < 500 && !passing.has(status)
  return new EdgeOriginError(`The origin answered ${status}: ${text.slice(0, 300)}`, {
    isRefusal,
    isShutOut: status === 401 || status === 403,
  })
}

const asOriginError = (cause: unknown): EdgeOriginError =>
  cause instanceof EdgeOriginError
    ? cause
    : new EdgeOriginError('The origin does not answer', { cause })
