import { setTimeout } from 'node:timers/promises'

import { backOffMs } from '../../lib/async/back-off.ts'
import type { S3Location } from '../../lib/net/s3-location.ts'
import { type S3Credentials, signRequest } from './sign-request.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface S3Limits {
  /** How long one attempt may take, its body included. */
  readonly attemptMs: number
  /** After so long no further attempt is begun. */
  readonly totalMs: number
  readonly attempts: number
  /** The first retry waits up to so long, each later one up to twice as long as the one before. */
  readonly firstDelayMs: number
}

const s3Limits: S3Limits = {
  attemptMs: 12_000,
  totalMs: 12_000,
  attempts: 4,
  firstDelayMs: 200,
}

export interface S3ClientOptions {
  readonly location: S3Location
  readonly credentials: S3Credentials
  readonly limits?: Partial<S3Limits>
  readonly now: () => Date
  /** From 0 up to, not including, 1. */
  readonly random: () => number
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the prefix; `undefined` for the bucket itself. */
  readonly key: string | undefined
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** Ends it; it is not tried again then. */
  readonly signal?: AbortSignal | undefined
  /** Of the body, where it is known already. */
  readonly bodySha256?: string
  /** Instead of the limit of all others. */
  readonly attemptMs?: number
}

export interface S3Response {
  readonly status: number
  readonly headers: Headers
  /** Whole: as long as it was said to be. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What passes by itself: too slow, too many requests, a fault of the store. */
const passingStatuses = new Set([408, 429, 500, 502, 503, 504])
const retriesInReserve = 20

/** Asks for objects, again where that may help, and never for longer than its limits. */
export class S3Client {
  readonly #options: S3ClientOptions
  readonly #limits: S3Limits
  /** Retries are paid from it, and each success puts some back: a store that is down is let be. */
  #reserve = retriesInReserve
  /** How far the store's clock is ahead of ours, where it minds. */
  #aheadMs = 0

  constructor(options: S3ClientOptions) {
    this.#options = options
    this.#limits = { ...s3Limits, ...options.limits }
  }

  /** What the names of all its objects begin with. */
  get prefix(): string {
    return this.#options.location.prefix
  }

  /** What the store calls an object that it is to copy. */
  copySource(key: string): string {
    const path = `${this.#options.location.bucket}/${this.prefix}${key}`
    return path.split('/').map(encodeURIComponent).join('/')
  }

  /**
   * Answers what the store said, refusals such as 404 as well. Where it says nothing useful in time,
   * throws {@link StoreUnavailableError}.
   */
  async ask(request: S3Request): Promise<S3Response> {
    const { attempts, totalMs } = this.#limits
    const deadline = performance.now() + totalMs
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(request).catch((error: unknown) => ({ error }))
      if ('status' in outcome && this.#tellsTheTime(outcome) && attempt < attempts) continue
      if ('status' in outcome && !isPassing(outcome)) {
        this.#reserve = Math.min(this.#reserve + 0.2, retriesInReserve)
        return outcome
      }
      const isInTime = attempt < attempts && performance.now() < deadline
      if (!isInTime || !this.#mayRetry(request)) throw failure(request, outcome)
      this.#reserve -= 1
      await setTimeout(this.#delayMs(attempt))
    }
  }

  #mayRetry({ signal }: S3Request): boolean {
    return this.#reserve >= 1 && signal?.aborted !== true
  }

  /** A clock that is wrong is no reason to be without bytes: the store's own counts for signatures. */
  #tellsTheTime({ bytes, headers }: S3Response): boolean {
    if (codeOf(bytes) !== 'RequestTimeTooSkewed') return false
    const storesTime = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(storesTime)) return false
    this.#aheadMs = storesTime - this.#options.now().getTime()
    return true
  }

  /** Anything up to the longest, so that those who failed together do not come back together. */
  #delayMs(attempt: number): number {
    const { firstDelayMs: firstMs } = this.#limits
    return backOffMs(attempt, { firstMs, spread: 1, random: this.#options.random() })
  }

  async #attempt(request: S3Request): Promise<S3Response> {
    const { method, body } = request
    const url = this.#urlOf(request)
    const signed = signRequest(
      {
        method,
        url,
        headers: request.headers ?? {},
        bodySha256: request.bodySha256 ?? sha256(body ?? new Uint8Array()),
      },
      { ...this.#options, region: this.#options.location.region, now: this.#time() },
    )
    const response = await fetch(url, {
      method,
      headers: signed,
      redirect: 'manual',
      decompress: false,
      signal: AbortSignal.any([
        AbortSignal.timeout(request.attemptMs ?? this.#limits.attemptMs),
        ...(request.signal ? [request.signal] : []),
      ]),
      ...(body === undefined ? {} : { body }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const declared = response.headers.get('content-length')
    if (method !== 'HEAD' && declared !== null && Number(declared) !== bytes.length)
      throw new Error(`${bytes.length} of ${declared} bytes came`)
    return { status: response.status, headers: response.headers, bytes }
  }

  #time(): Date {
    return new Date(this.#options.now().getTime() + this.#aheadMs)
  }

  #urlOf({ key, query }: S3Request): URL {
    const { endpoint, bucket, prefix, style } = this.#options.location
    const url = new URL(endpoint)
    if (style === 'host') url.host = `${bucket}.${url.host}`
    const inBucket = key === undefined ? '' : `${prefix}${key}`
    url.pathname = style === 'path' ? `/${bucket}/${inBucket}` : `/${inBucket}`
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    return url
  }
}

const isPassing = ({ status, bytes }: S3Response): boolean =>
  passingStatuses.has(status) || (status === 400 && textOf(bytes).includes('RequestTimeout'))

/** What the store said itself: the cause of a {@link StoreUnavailableError}. */
class S3Refusal extends Error {
  override readonly name = 'S3Refusal'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Whether the store does not do that, and will not if it is asked again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof StoreUnavailableError &&
  error.cause instanceof S3Refusal &&
  ((error.cause.status >= 400 && error.cause.status < 500) || error.cause.status === 501)

/** @param cause - what the store said, or why nothing was heard of it. */
export function failure(
  { method, key }: Pick<S3Request, 'method' | 'key'>,
  cause: S3Response | { readonly error: unknown },
): StoreUnavailableError {
  const reason =
    'status' in cause
      ? new S3Refusal(
          `${method} ${key ?? 'bucket'}: ${cause.status} ${codeOf(cause.bytes)}`,
          cause.status,
        )
      : cause.error
  return new StoreUnavailableError('The blob store cannot be reached', {
    store: 'blobs',
    final: false,
    cause: reason,
  })
}

const codeOf = (bytes: Uint8Array): string =>
  /<Code>([^<]{1,100})<\/Code>/u.exec(textOf(bytes))?.[1] ?? ''

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, 10_000))

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
