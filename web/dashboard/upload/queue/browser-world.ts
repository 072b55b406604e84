import { SedgeConnectionError, SedgeError } from '../../../../src/client/errors.ts'
import { refusalOf } from '../../../../src/client/refusal.ts'
import { client } from '../../api/client.ts'
import { storagePath } from '../../assets/asset.ts'
import { sessionGate } from '../../api/session-gate.ts'
import { humanBytes } from '../../parts/format.ts'
import { maxFileBytes } from './upload-item.ts'
import { isSmall } from './next-task.ts'
import { createReadOnce } from './read-once.ts'
import {
  ConnectionLost,
  type Sending,
  type Upload,
  UploadCancelled,
  UploadRefused,
  type UploadWorld,
} from './upload-world.ts'

/** Small files are read to be compared, and again to be sent. */
const files = createReadOnce()

/** Uploading by this browser. */
export const browserWorld: UploadWorld = {
  hash: async (file) => {
    // Browsers count only on pages of a secure context.
    if (globalThis.crypto.subtle === undefined || isLarge(file)) return undefined
    const bytes = isSmall(file) ? await files.first(file) : await file.arrayBuffer()
    return hexOf(await crypto.subtle.digest('SHA-256', bytes))
  },
  async list(directory) {
    try {
      const entries = await client.listDirectory(`clients/${directory}`)
      return new Map(
        entries.flatMap(({ ObjectName, Checksum }) =>
          Checksum === null ? [] : [[directory + ObjectName, Checksum] as const],
        ),
      )
    } catch (error) {
      if (error instanceof SedgeConnectionError) throw new ConnectionLost()
      throw error
    }
  },
  /** What is larger than the service takes it refuses before any of it is sent. */
  faultOf: () => undefined,
  put: (upload, sending) => (isLarge(upload.file) ? putLarge : putSmall)(upload, sending),
  async putAll(uploads, { onProgress, signal }) {
    const items = await Promise.all(uploads.map(batchItem))
    const body = new Blob([JSON.stringify({ files: items })], { type: 'application/json' })
    const wholeBytes = uploads.reduce((sum, { file }) => sum + file.size, 0)
    await sendInSession({
      method: 'POST',
      url: '/api/storage/batch',
      headers: { 'Content-Type': 'application/json' },
      body,
      onProgress: (sent) => onProgress((sent / body.size) * wholeBytes),
      signal,
    })
  },
  reconnect: async () => {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, 15_000)) {
      await pauseOrOnline(pauseMs)
      if (await isReachable()) return
    }
  },
}

/** In pieces, and not read whole to be compared: one request and the memory of a page hold less. */
const isLarge = ({ size }: Blob): boolean => size > maxFileBytes

const headersOf = ({ file, sha256, replaces }: Upload): Record<string, string> => ({
  ...(sha256 === undefined ? {} : { Checksum: sha256 }),
  ...(replaces ? {} : { 'If-None-Match': '*' }),
  ...(file.type === '' ? {} : { 'Content-Type': file.type }),
})

const putSmall = (upload: Upload, sending: Sending): Promise<void> =>
  sendInSession({
    method: 'PUT',
    url: storagePath(upload.path),
    headers: headersOf(upload),
    body: upload.file,
    ...sending,
  })

/** Where the uploads of files go on after the connection was lost. */
const begunIds = new WeakMap<Blob, string>()

async function putLarge(upload: Upload, { onProgress, signal }: Sending): Promise<void> {
  const { path, file } = upload
  const id = begunIds.get(file)
  const told = { path, body: file, headers: headersOf(upload), ...(id !== undefined && { id }) }
  try {
    await client.uploadFile(told, {
      signal,
      onBegun: (begun) => void begunIds.set(file, begun),
      onProgress: ({ sentBytes }) => onProgress(sentBytes),
    })
  } catch (error) {
    if (error instanceof SedgeConnectionError) throw new ConnectionLost()
    begunIds.delete(file)
    if (signal.aborted) throw new UploadCancelled()
    if (error instanceof SedgeError) throw new UploadRefused(error.status, withSizes(error.message))
    throw error
  }
}

interface Request extends Sending {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob
}

async function sendInSession(sending: Request): Promise<void> {
  let response = await send(sending)
  if (response.status === 401) {
    await sessionGate.signInAgain()
    response = await send(sending)
  }
  if (response.ok) return
  // What passes by itself is no reason to give up.
  if (response.status === 503) throw new ConnectionLost()
  const { message, details } = await refusalOf(response, Date.now)
  const [detail] = details
  throw new UploadRefused(response.status, withSizes(detail?.message ?? message))
}

/** Nobody reads millions of bytes. */
const withSizes = (text: string): string =>
  text.replace(/\b(\d{5,12}) bytes\b/u, (_, bytes: string) => humanBytes(Number(bytes)))

/** `fetch` does not tell how far it has come. */
function send(sending: Request): Promise<Response> {
  const { method, url, headers, body, onProgress, signal } = sending
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () =>
      resolve(new Response(request.responseText, { status: request.status })),
    )
    request.addEventListener('error', () => reject(new ConnectionLost()))
    request.addEventListener('abort', () => reject(new UploadCancelled()))
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) return reject(new UploadCancelled())
    request.send(body)
  })
}

const batchItem = async ({ path, file }: Upload) => ({
  path: `clients/${path}`,
  content: await base64Of(file),
})

const base64Of = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await files.last(file))
  let text = ''
  // So many arguments at once, and no more, does every browser take.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

const pauseOrOnline = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })

async function isReachable(): Promise<boolean> {
  try {
    await fetch('/api/health', { cache: 'no-store' })
    return true
  } catch {
    return false
  }
}
