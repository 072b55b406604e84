import { mapConcurrently } from '../../../../lib/async/map-concurrently.ts'
import { readableStreamOf } from '../../../../lib/bytes/byte-streams.ts'
import type { BlobRef, BlobStore } from '../../../../ports/content/blob-store.ts'
import { RemoteUnavailableError } from '../../../../ports/content/remote-repository.ts'
import {
  type BatchObject,
  batchRequest,
  type LfsAction,
  lfsMediaType,
  type LfsOperation,
  objectsPerBatch,
  parseBatch,
} from './batch-protocol.ts'
import { type LargeFileHost, type LeftBehind, NoLargeFilesError } from './large-file-host.ts'
import { allowedAction, type LfsEndpoint } from './lfs-endpoint.ts'

export interface HttpLargeFilesOptions {
  /** Asked for at each batch. */
  readonly endpoint: (operation: LfsOperation) => Promise<LfsEndpoint>
  readonly blobs: Pick<BlobStore, 'open' | 'path' | 'receive' | 'stat'>
  readonly limits: TransferLimits
  /** Aborted where the service ends. */
  readonly signal: AbortSignal
}

export interface TransferLimits {
  /** Without a byte for so long, a transfer hangs. */
  readonly silentMs: number
  readonly longestMs: number
}

const transfersUnderWay = 2
const batchTimeoutMs = 60_000
const largestResponseBytes = 4 * 2 ** 20

/** The LFS API of a remote: batches, and basic transfers. */
export class HttpLargeFiles implements LargeFileHost {
  readonly #options: HttpLargeFilesOptions

  constructor(options: HttpLargeFilesOptions) {
    this.#options = options
  }

  async upload(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    return await this.#transfer('upload', refs, (object) => this.#send(object))
  }

  async download(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    return await this.#transfer('download', refs, (object) => this.#fetch(object))
  }

  async open(ref: BlobRef): Promise<ReadableStream<Uint8Array> | undefined> {
    const [object] = await this.#batch('download', [ref])
    if (object === undefined || object.why !== undefined) return undefined
    const bytes = await this.#open(object)
    return typeof bytes === 'string' ? undefined : bytes
  }

  async #transfer(
    operation: LfsOperation,
    refs: readonly BlobRef[],
    work: (object: BatchObject) => Promise<string | undefined>,
  ): Promise<readonly LeftBehind[]> {
    const left: LeftBehind[] = []
    for (let start = 0; start < refs.length; start += objectsPerBatch) {
      const objects = await this.#batch(operation, refs.slice(start, start + objectsPerBatch))
      await mapConcurrently(objects, transfersUnderWay, async (object) => {
        const why = object.why ?? (await work(object))
        if (why !== undefined) left.push({ ref: object.ref, why })
      })
    }
    return left
  }

  /** Objects with what may be requested for them. */
  async #batch(operation: LfsOperation, refs: readonly BlobRef[]): Promise<readonly BatchObject[]> {
    const endpoint = await this.#options.endpoint(operation)
    const url = new URL(`${endpoint.url.href}/objects/batch`)
    const response = await this.#request(
      allowedAction(endpoint, { url, headers: jsonHeaders }, false),
      { method: 'POST', body: batchRequest(operation, refs) },
      batchTimeoutMs,
    )
    const text = await boundedText(response)
    if (isPassing(response))
      throw new RemoteUnavailableError(`The LFS API of the remote answers ${response.status}`)
    if (!response.ok)
      throw new NoLargeFilesError(`the LFS API of the remote answers ${response.status}`)
    return understood(text, refs).map((object) => allowed(object, endpoint))
  }

  /** Without an action the remote has it already. Answers why it could not be sent. */
  async #send({ ref, actions }: BatchObject): Promise<string | undefined> {
    const action = actions.get('upload')
    if (action === undefined) return undefined
    const body = await this.#bodyOf(ref)
    if (body === undefined) return 'its bytes are lost here'
    const headers = { 'Content-Type': 'application/octet-stream', ...action.headers }
    const sent = await this.#request(
      { ...action, headers },
      { method: 'PUT', body },
      this.#options.limits.longestMs,
    )
    await sent.body?.cancel()
    if (isPassing(sent)) throw new RemoteUnavailableError(`An upload was answered ${sent.status}`)
    if (!sent.ok) return `its upload was answered ${sent.status}`
    const verify = actions.get('verify')
    return verify && (await this.#verify(verify, ref))
  }

  async #verify(action: LfsAction, { sha256, sizeBytes }: BlobRef): Promise<string | undefined> {
    const verified = await this.#request(
      { ...action, headers: { ...jsonHeaders, ...action.headers } },
      { method: 'POST', body: JSON.stringify({ oid: sha256, size: sizeBytes }) },
      batchTimeoutMs,
    )
    await verified.body?.cancel()
    return verified.ok ? undefined : `its verification was answered ${verified.status}`
  }

  /** A file where there is one, so that the length is known and nothing is held in memory. */
  async #bodyOf({ sha256, sizeBytes }: BlobRef): Promise<Blob | ReadableStream | undefined> {
    const { blobs } = this.#options
    if ((await blobs.stat(sha256))?.sizeBytes !== sizeBytes) return undefined
    const path = await blobs.path?.(sha256)
    if (path !== undefined) return Bun.file(path)
    const opened = await blobs.open(sha256)
    return opened instanceof Blob ? opened : opened?.stream()
  }

  async #fetch(object: BatchObject): Promise<string | undefined> {
    const bytes = await this.#open(object)
    if (typeof bytes === 'string') return bytes
    await using incoming = await this.#options.blobs.receive(bytes)
    const { sha256, sizeBytes } = object.ref
    if (incoming.sha256 !== sha256 || incoming.sizeBytes !== sizeBytes)
      return 'the remote sends other bytes'
    await incoming.keep()
    return undefined
  }

  /** Answers why it cannot be had, where it cannot. */
  async #open({ ref, actions }: BatchObject): Promise<ReadableStream<Uint8Array> | string> {
    const action = actions.get('download')
    if (action === undefined) return 'the remote says nothing of where it is'
    const { silentMs, longestMs } = this.#options.limits
    const response = await this.#request(action, { method: 'GET' }, longestMs)
    if (!response.ok) await response.body?.cancel()
    if (isPassing(response))
      throw new RemoteUnavailableError(`A download was answered ${response.status}`)
    if (!response.ok || response.body === null)
      return `its download was answered ${response.status}`
    return readableStreamOf(bounded(response.body, { maxBytes: ref.sizeBytes, silentMs }))
  }

  async #request(
    { url, headers }: LfsAction,
    init: { readonly method: string; readonly body?: string | Blob | ReadableStream },
    timeoutMs: number,
  ): Promise<Response> {
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(timeoutMs)])
    try {
      return await fetch(url, { ...init, headers, signal, redirect: 'manual' })
    } catch (cause) {
      throw new RemoteUnavailableError(`The LFS API of the remote is out of reach`, { cause })
    }
  }
}

const jsonHeaders = { Accept: lfsMediaType, 'Content-Type': lfsMediaType }

function understood(text: string, refs: readonly BlobRef[]): readonly BatchObject[] {
  try {
    return parseBatch(text, refs)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new NoLargeFilesError(`what the remote answers is not understood: ${why}`, { cause })
  }
}

function allowed(object: BatchObject, endpoint: LfsEndpoint): BatchObject {
  const actions = [...object.actions].map(
    ([name, action]) => [name, allowedAction(endpoint, action, object.isAuthenticated)] as const,
  )
  return { ...object, actions: new Map(actions) }
}

const isPassing = ({ status }: Response): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507)

async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of body ?? []) {
    sizeBytes += part.length
    if (sizeBytes > largestResponseBytes)
      throw new NoLargeFilesError(
        'the LFS API of the remote says more than anybody can want to know',
      )
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

interface Bounds {
  readonly maxBytes: number
  readonly silentMs: number
}

/** Ends, and what comes is too short, where more comes than was said; rejects where nothing comes any more. */
async function* bounded(
  body: ReadableStream<Uint8Array>,
  { maxBytes, silentMs }: Bounds,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  let sizeBytes = 0
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silentMs)
      if (done) return
      sizeBytes += value.length
      if (sizeBytes > maxBytes) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new RemoteUnavailableError('A download has come to a halt')),
    ms,
  )
  try {
    return await Promise.race([work, late.promise])
  } catch (cause) {
    throw cause instanceof RemoteUnavailableError
      ? cause
      : new RemoteUnavailableError('A download broke off', { cause })
  } finally {
    clearTimeout(timer)
  }
}
