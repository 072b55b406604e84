import type { TrafficFlush } from '../traffic/traffic-store.ts'

/** What an edge says of itself, or passes on of an edge behind it. */
export interface Acknowledgement {
  readonly name: string
  /** Everything up to this number of the feed is what it serves. */
  readonly seq: number
  /** The edge it gets everything from, where that is not the origin itself. */
  readonly via: string | undefined
}

/** One message of the feed, as it was sent. */
export type FeedMessage =
  | { readonly kind: 'change'; readonly text: string }
  /** What was asked for cannot be told any more: the manifest has to be compared. */
  | { readonly kind: 'resync' }

export type OriginBlob =
  | { readonly kind: 'whole'; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: 'large'; readonly sizeBytes: number }

/** Part of a blob of so many bytes in all. */
export interface OriginSlice {
  readonly sha256: string
  readonly sizeBytes: number
  readonly start: number
  readonly end: number
}

export interface ImageCopy {
  readonly bytes: Uint8Array
  /** The first 32 hex digits of the SHA-256 of the bytes. */
  readonly digest: string
}

export interface QuotaLease {
  readonly name: string
  /** So many are wanted. */
  readonly amount: number
  /** So many were used while nobody could be asked. */
  readonly owed: number
}

/** What is asked of former commits: files of one, or which was that of a moment. */
export type PastRequest =
  | { readonly commit: string; readonly paths: readonly string[] }
  | { readonly zone: string; readonly moment: Date }

/** Whoever an edge gets everything from: the origin, or another edge. */
export interface EdgeOrigin {
  /**
   * The feed from a position on. The first message comes at once: a change that leads from there to
   * now, or `resync`. Ends when the connection does; rejects with {@link EdgeOriginError} where it
   * cannot be made or has fallen silent.
   */
  feed(since: string, signal: AbortSignal): AsyncIterable<FeedMessage>
  /** The parts of the manifest and what they hash to, as text. */
  manifest(): Promise<string>
  /** One part of the manifest; `undefined` where there is none of that name. */
  part(name: string): Promise<string | undefined>
  /** The bytes, not checked, or where they are more than `maxBytes` how many; `undefined` where there are none. */
  blob(sha256: string, maxBytes: number): Promise<OriginBlob | undefined>
  /** Some of the bytes, compared with what the origin says of these. The signal ends the request. */
  slice(slice: OriginSlice, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Digests of the certificates of custom domains, as text. */
  certificates(): Promise<string>
  /** One of them with its key, as text; `undefined` where there is none for that host name. */
  certificate(hostname: string): Promise<string | undefined>
  /** What is known of an image, as text; `undefined` where nothing is. */
  facts(sha256: string): Promise<string | undefined>
  /** What packaging a video needs besides the video; `undefined` where it was not looked at yet. */
  streamIndex(sha256: string): Promise<Uint8Array | undefined>
  /** A smaller copy of an image, checked; `undefined` where there is none. */
  copy(key: string): Promise<ImageCopy | undefined>
  /** What a former commit has, as JSON that was read; not checked. */
  past(request: PastRequest): Promise<unknown>
  /** Answers the number that the origin itself stands at. */
  acknowledge(acknowledgements: readonly Acknowledgement[]): Promise<number>
  /** Counts each flush once, however often it is sent. */
  record(flushes: readonly TrafficFlush[]): Promise<void>
  /** How many of a quota may be used from now on; 0 where it is used up. */
  leaseQuota(lease: QuotaLease): Promise<number>
}

interface ErrorOptions {
  readonly isRefusal?: boolean
  readonly isShutOut?: boolean
  readonly cause?: unknown
}

/** The origin could not be reached, or refused. */
export class EdgeOriginError extends Error {
  override readonly name = 'EdgeOriginError'
  /** Whether the same request would be refused again: it is at fault itself. */
  readonly isRefusal: boolean
  /** Whether the token is no good, or not for this. */
  readonly isShutOut: boolean

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.isRefusal = options.isRefusal ?? false
    this.isShutOut = options.isShutOut ?? false
  }
}
