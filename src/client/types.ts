import type { ErrorCode, Operations } from './operations.ts'
import type { ServerSentEvent } from './wire-types.ts'

/** What opens the planes. Give those you have; each call sends the one its operation takes, and no other. */
export interface Credentials {
  /** A bearer token (`cdnsk_…`): what it may do is in its scopes. */
  readonly token?: string | undefined
  readonly accessKey?: string | undefined
  readonly accountKey?: string | undefined
  readonly purgeKey?: string | undefined
  readonly analyticsKey?: string | undefined
}

export interface ClientOptions extends Credentials {
  /** Where the service is, e.g. `http://127.0.0.1:8788`. */
  readonly url: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** How often a call is tried again after 429 or 503; 3 where left out, 0 for never. */
  readonly retries?: number
  /** A service that asks for a longer pause (a day's limit is used up) is not asked again; 30 where left out. */
  readonly maxRetrySeconds?: number
}

export interface CallOptions {
  /** Ends the call, its retries and the stream that it answers. */
  readonly signal?: AbortSignal
  /** Sent besides those of the client. */
  readonly headers?: Readonly<Record<string, string>>
}

export type OperationId = keyof Operations
/** What an operation is given: parameters of path and query by name, and `body`. */
export type Input<Id extends OperationId> = Operations[Id]['input']
/** What it answers. */
export type ResponseOf<Id extends OperationId> = Operations[Id]['answer']

type Responding<Id extends OperationId> =
  ResponseOf<Id> extends AsyncIterable<ServerSentEvent> ? ResponseOf<Id> : Promise<ResponseOf<Id>>

export type Call<Id extends OperationId> =
  Partial<Input<Id>> extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Responding<Id>
    : (input: Input<Id>, options?: CallOptions) => Responding<Id>

/** One method for each operation of the service. */
type Calls = { readonly [Id in keyof Operations]: Call<Id> }

export type AssetEntry = ResponseOf<'listAssets'>['Data'][number]
export type WebhookDelivery = ResponseOf<'listWebhookDeliveries'>['Deliveries'][number]
export type LogEntry = ResponseOf<'listLogs'>['Entries'][number]

/** An entry of a directory in storage. */
export interface DirectoryEntry {
  readonly Guid: string
  /** The directory it is in, with a slash at both ends. */
  readonly Path: string
  readonly ObjectName: string
  readonly IsDirectory: boolean
  /** Bytes; 0 for a directory. */
  readonly Length: number
  /** Empty for a directory. */
  readonly ContentType: string
  /** SHA-256 in hex; null for a directory. */
  readonly Checksum: string | null
  readonly DateCreated: string
  readonly LastChanged: string
}

/** What was stored, as `putFile` says it. */
export type StoredFile = NonNullable<ResponseOf<'getUpload'>['File']>

export interface UploadFile {
  /** Where it goes: `<zone>/v1/…`. */
  readonly path: string
  /** A `File` of a browser, `Bun.file()`, or of Node `fs.openAsBlob()`: none is read whole. */
  readonly body: Blob
  /** e.g. `Content-Type`, `Checksum`, `If-None-Match`, as for `createUpload`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of an upload of the same file that was begun before: it goes on. */
  readonly id?: string
}

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  /** How much is sent by one request; 8 MiB where left out. */
  readonly pieceBytes?: number
  /** With the upload's id, by which it goes on later, in another process or after a reload. */
  readonly onBegun?: (id: string) => void
  readonly onProgress?: (progress: {
    readonly sentBytes: number
    readonly totalBytes: number
  }) => void
}

export interface Client extends Calls {
  /**
   * Stores a file of any size, piece by piece; after a lost connection it goes on by itself. `putFile` is
   * for up to 25 MB in one request.
   */
  uploadFile(file: UploadFile, options?: UploadOptions): Promise<StoredFile>
  /** The entries of a directory, directories first; none where there is no such directory. */
  listDirectory(path: string, options?: CallOptions): Promise<readonly DirectoryEntry[]>
  /** Every asset that fits, page after page as it is read. */
  eachAsset(
    query?: Omit<Input<'listAssets'>, 'page'>,
    options?: CallOptions,
  ): AsyncIterable<AssetEntry>
  /** Every kept delivery of a webhook, newest first, page after page as it is read. */
  eachWebhookDelivery(
    webhook: { readonly id: string },
    options?: CallOptions,
  ): AsyncIterable<WebhookDelivery>
  /**
   * What is logged from now on, until the service stops or `signal` says so: with `q`, which may be empty,
   * the requests that fit.
   */
  followLogs(
    query?: Pick<Input<'listLogs'>, 'level' | 'q'>,
    options?: CallOptions,
  ): AsyncIterable<LogEntry>
}

/** What a response that refuses says. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode | 'Unknown'
  readonly message: string
  /** The offending field, in the caller's own spelling. */
  readonly target: string | undefined
  /** One entry a fault. */
  readonly details: readonly { readonly target?: string; readonly message?: string }[]
  /** By which the operator finds the cause in the log. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The whole response, e.g. with `MaxSize` or `invalid`. */
  readonly body: Readonly<Record<string, unknown>>
}

/** What is signed, and until when it is good. */
export interface SignedUrl {
  /** Where the service is. */
  readonly url: string
  /** The asset, e.g. `/acme/v1/private/report.pdf`. */
  readonly path: string
  /** At most seven days ahead. */
  readonly expiresAt: Date
  /** `SIGNED_URL_SECRET` of the service. */
  readonly secret: string
}
