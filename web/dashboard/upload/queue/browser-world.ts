import { refusalsOf } from '../../../../src/client/archive-results.ts'
import { SedgeConnectionError } from '../../../../src/client/errors.ts'
import { type ArchivedFile, archiveOf } from '../../../../src/client/tar-archive.ts'
import { client } from '../../api/client.ts'
import { storagePath } from '../../assets/asset.ts'
import { dropUpload, hexOf } from './kept-uploads.ts'
import { headersOf, isLarge, previewHeader, putLarge } from './large-upload.ts'
import { isSmall } from './next-task.ts'
import { createReadOnce } from './read-once.ts'
import { sendInSession } from './send-in-session.ts'
import { sizeFaultOf } from './size-limit.ts'
import { posterFor, posterPathOf } from '../video-poster.ts'
import { ConnectionLost, type Sending, type Upload, type UploadWorld } from './upload-world.ts'

/** Small files are read to be compared, and again to be sent. */
const files = createReadOnce()

/** Uploading by this browser, to what is live or to a preview. */
export const browserWorldOf = (preview?: string): UploadWorld => ({
  hash: async (file) => {
    // Browsers count only on pages of a secure context.
    if (globalThis.crypto.subtle === undefined || isLarge(file)) return undefined
    const bytes = isSmall(file) ? await files.first(file) : await file.arrayBuffer()
    return hexOf(await crypto.subtle.digest('SHA-256', bytes))
  },
  async list(directory) {
    try {
      const headers = previewHeader(preview)
      const entries = await client.listDirectory(`clients/${directory}`, { headers })
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
  faultOf: async (file) => (isLarge(file) ? await sizeFaultOf(file) : undefined),
  async put(upload, sending) {
    await (isLarge(upload.file) ? putLarge : putSmall)({ ...upload, preview }, sending)
    void storePoster({ ...upload, preview })
  },
  drop: dropUpload,
  now: () => performance.now(),
  async putAll(uploads, { onProgress, signal }) {
    const { body, directory } = archiveOf(await Promise.all(uploads.map(archivedFile)))
    const wholeBytes = uploads.reduce((sum, { file }) => sum + file.size, 0)
    const text = await sendInSession({
      method: 'POST',
      url: `/api/storage/archive?directory=${directory}`,
      headers: { 'Content-Type': 'application/x-tar', ...previewHeader(preview) },
      body,
      onProgress: (sent) => onProgress((sent / body.size) * wholeBytes),
      signal,
    })
    const refused = new Set([...refusedOf(text)].map((path) => path.replace(/^clients\//u, '')))
    void storePosters(
      uploads.filter(({ path }) => !refused.has(path)),
      preview,
    )
    return refused
  },
  reconnect: async () => {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, 15_000)) {
      await pauseOrOnline(pauseMs)
      if (await isReachable()) return
    }
  },
})

/** One after another: each is a video that this browser decodes. */
async function storePosters(uploads: readonly Upload[], preview?: string): Promise<void> {
  for (const upload of uploads) await storePoster({ ...upload, preview })
}

/** The video is stored; where its image is not, it has a sign in its place. */
async function storePoster(upload: Upload): Promise<void> {
  const poster = await posterFor(upload)
  if (poster === undefined) return
  const path = posterPathOf(upload.path)
  const signal = AbortSignal.timeout(posterMs)
  const stored = { ...upload, path, file: poster, sha256: undefined, replaces: true }
  await putSmall(stored, { signal, onProgress() {}, onBegun() {} }).catch(() => undefined)
}

const posterMs = 60_000

const putSmall = async (upload: Upload, sending: Sending): Promise<void> =>
  void (await sendInSession({
    method: 'PUT',
    url: storagePath(upload.path),
    headers: headersOf(upload),
    body: upload.file,
    ...sending,
  }))

const archivedFile = async ({ path, file, sha256 }: Upload): Promise<ArchivedFile> => ({
  path,
  bytes: new Uint8Array(await files.last(file)),
  sha256,
})

/** An archive that was not taken to its end is sent again: what is stored already is found so. */
function refusedOf(text: string): Iterable<string> {
  try {
    return refusalsOf(text).keys()
  } catch {
    throw new ConnectionLost()
  }
}

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
