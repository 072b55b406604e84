import { backOffMs } from '../lib/async/back-off.ts'
import { SedgeConnectionError, SedgeError } from './errors.ts'
import type { Platform } from './send.ts'
import type { Client, StoredFile, UploadFile, UploadOptions } from './types.ts'

/** A lost connection costs no more than the piece that was under way, and not even all of that. */
const pieceBytes = 8 * 1024 * 1024
/** In a row, without a byte more being there. */
const maxFailures = 8
const firstPauseMs = 500
const longestPauseMs = 30_000

type Calls = Pick<Client, 'createUpload' | 'getUpload' | 'appendUpload'>
type State = Awaited<ReturnType<Calls['getUpload']>>

/**
 * Sends a file piece by piece (Resumable Uploads for HTTP) and goes on after a lost connection where the
 * service says; of a response that was lost it asks what became of the request.
 */
export async function uploadFile(
  { calls, world }: { readonly calls: Calls; readonly world: Pick<Platform, 'wait' | 'random'> },
  file: UploadFile,
  options: UploadOptions,
): Promise<StoredFile> {
  const { body, id: begun } = file
  const { signal, onProgress = () => {} } = options
  const call = signal === undefined ? {} : { signal }
  const id = begun ?? (await begin(calls, file, options))
  let state: State | undefined
  let failures = 0

  async function sendPiece({ Offset: start }: State): Promise<State | undefined> {
    const end = Math.min(start + (options.pieceBytes ?? pieceBytes), body.size)
    const headers = {
      'Content-Type': 'application/partial-upload',
      'Upload-Offset': String(start),
      'Upload-Complete': end === body.size ? '?1' : '?0',
    }
    const piece = { id, body: body.slice(start, end), headers }
    // Of a piece that is not the last nothing is said but that it was taken.
    const sent = (await calls.appendUpload(piece, call)) as State | undefined
    return sent ?? (state && { ...state, Offset: end })
  }

  for (;;)
    try {
      const before: State = state ?? (await calls.getUpload({ id }, call))
      requireSameSize(before, body)
      onProgress({ sentBytes: before.Offset, totalBytes: body.size })
      if (before.File !== null) return before.File
      signal?.throwIfAborted()
      state = before
      state = await sendPiece(before)
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      failures += 1
      if (!mayPass(error) || failures > maxFailures) throw error
      state = undefined
      await world.wait(pauseMs(failures, error, world), signal)
    }
}

async function begin(
  calls: Calls,
  { path, body, headers }: UploadFile,
  { signal, onBegun }: UploadOptions,
): Promise<string> {
  const { Id: id } = await calls.createUpload(
    {
      path,
      body: new Uint8Array(0),
      headers: {
        'Content-Type': body.type === '' ? 'application/octet-stream' : body.type,
        ...headers,
        'Upload-Complete': '?0',
        'Upload-Length': String(body.size),
      },
    },
    signal === undefined ? {} : { signal },
  )
  onBegun?.(id)
  return id
}

/** An upload that was begun with another file would become a mixture of both. */
function requireSameSize({ Length: length }: State, { size }: Blob): void {
  if (length !== null && length !== size)
    throw new TypeError(`The upload was begun with a file of ${length} bytes, this one has ${size}`)
}

/** The service tells where to go on, or is there again soon. */
const mayPass = (error: unknown): boolean =>
  error instanceof SedgeConnectionError ||
  (error instanceof SedgeError &&
    (error.status >= 500 ||
      error.status === 429 ||
      error.code === 'OffsetMismatch' ||
      error.code === 'WriteConflict'))

function pauseMs(failures: number, error: unknown, { random }: Pick<Platform, 'random'>): number {
  const asked = error instanceof SedgeError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  const ownMs = backOffMs(failures, { firstMs: firstPauseMs, random: random() })
  return Math.min(Math.max(ownMs, asked), longestPauseMs)
}
