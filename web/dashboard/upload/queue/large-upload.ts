import { createClient } from '../../../../src/client/client.ts'
import { SedgeConnectionError, SedgeError } from '../../../../src/client/errors.ts'
import { t } from '../../language/text.ts'
import { isGone, keptUploads, type KeptUpload, printOf } from './kept-uploads.ts'
import { respondInSession, signInAgain, withSizes } from './send-in-session.ts'
import { maxRequestBytes } from './upload-item.ts'
import {
  ConnectionLost,
  type Sending,
  type Upload,
  UploadCancelled,
  UploadHeld,
  UploadRefused,
} from './upload-world.ts'

/** In pieces, and not read whole to be compared: one request and the memory of a page hold less. */
export const isLarge = ({ size }: Blob): boolean => size > maxRequestBytes

export const previewHeader = (preview: string | undefined): Record<string, string> =>
  preview === undefined ? {} : { 'Sedge-Preview': preview }

export const headersOf = ({ file, sha256, replaces, preview }: Upload): Record<string, string> => ({
  ...previewHeader(preview),
  ...(sha256 === undefined ? {} : { Checksum: sha256 }),
  ...(replaces ? {} : { 'If-None-Match': '*' }),
  ...(file.type === '' ? {} : { 'Content-Type': file.type }),
})

/** Of another window that sends to the same place. */
export const lockNameOf = (path: string): string => `sedge upload ${path}`

/** Sends a file piece by piece from where the service says, and remembers it until it is through. */
export async function putLarge(upload: Upload, sending: Sending): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([sending.signal, stop.signal])
  try {
    await inOneWindow(upload.path, signal, () => sendPieces(upload, { ...sending, signal }, stop))
  } catch (error) {
    if (sending.signal.aborted) throw new UploadCancelled()
    if (stop.signal.aborted) throw await whyStopped(stop.signal.reason, upload)
    if (upload.uploadId !== undefined && isGone(error)) {
      await keptUploads.forget(upload.uploadId)
      return await putLarge({ ...upload, uploadId: undefined }, sending)
    }
    if (error instanceof SedgeConnectionError) throw new ConnectionLost()
    if (error instanceof SedgeError) throw new UploadRefused(error.status, withSizes(error.message))
    throw error
  }
}

/** Two windows would only take it from each other. */
async function inOneWindow(
  path: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  // Browsers have locks only on pages of a secure context.
  const { locks } = navigator as { readonly locks?: LockManager }
  await (locks === undefined ? run() : locks.request(lockNameOf(path), { signal }, run))
}

async function sendPieces(
  upload: Upload,
  { onProgress, onBegun, signal }: Sending,
  stop: AbortController,
): Promise<void> {
  const { path, file, handle, uploadId } = upload
  const print = await printOf(asFile(file, path))
  let kept: KeptUpload | undefined =
    uploadId === undefined ? undefined : { ...print, id: uploadId, path, offset: 0, handle }
  const client = createClient({
    url: location.origin,
    fetch: async (request) => {
      try {
        return await pieceOrCall(request, onProgress)
      } catch (error) {
        // The queue knows when to go on; trying again from here would keep it from telling.
        stop.abort(error)
        throw error
      }
    },
  })
  const told = { path, body: file, headers: headersOf(upload) }
  await client.uploadFile(uploadId === undefined ? told : { ...told, id: uploadId }, {
    signal,
    onBegun: (id) => {
      kept = { ...print, id, path, offset: 0, handle }
      // Cancelled meanwhile, it is not to come back.
      if (!signal.aborted) void keptUploads.keep(kept)
      onBegun(id)
    },
    onProgress: ({ sentBytes: offset }) => {
      onProgress(offset)
      if (kept && !signal.aborted) void keptUploads.keep({ ...kept, offset })
    },
  })
  if (kept) await keptUploads.forget(kept.id)
}

const asFile = (file: Blob, path: string): File =>
  file instanceof File ? file : new File([file], path, { lastModified: 0 })

/** What begins an upload is not broken off: nobody would know what it began. */
async function pieceOrCall(
  request: Request,
  onProgress: (sentBytes: number) => void,
): Promise<Response> {
  if (request.method !== 'PATCH') return await call(request)
  const { method, url, signal } = request
  const headers = Object.fromEntries(request.headers)
  const start = Number(headers['upload-offset'])
  const response = await respondInSession({
    method,
    url,
    headers,
    body: await request.blob(),
    onProgress: (sent) => onProgress(start + sent),
    signal,
  })
  return passingBy(response)
}

async function call(given: Request): Promise<Response> {
  const request = new Request(given, {
    cache: 'no-cache',
    ...(given.method === 'POST' && { signal: null }),
  })
  const again = request.clone()
  const response = await fetch(request)
  if (response.status !== 401) return passingBy(response)
  await signInAgain()
  return passingBy(await fetch(again))
}

/** What passes by itself is waited for as a lost connection is. */
function passingBy(response: Response): Response {
  if (response.status === 502 || response.status === 503 || response.status === 504)
    throw new ConnectionLost()
  return response
}

/** A file that was changed or moved since it was chosen fails like a connection, and always would. */
async function whyStopped(reason: unknown, { file }: Upload): Promise<Error> {
  if (reason instanceof UploadHeld) return reason
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    return new Error(
      t('The file cannot be read any more: it was changed or moved. Choose it again.'),
    )
  }
  return new ConnectionLost()
}
