import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { compress, weakened } from '../../http/response/compression.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'
import { makeOnce } from '../../lib/async/make-once.ts'

/** The player page and what it is made of. */
export interface WatchPage {
  /** `undefined` for an address that is not the page's. */
  fetch(request: Request): Promise<Response | undefined>
}

interface PageFile {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** In the codings that were asked for so far. */
  readonly coded: Map<string, Awaited<ReturnType<typeof compress>>>
}

const folder = new URL('../../../web/watch/', import.meta.url)

/** Nothing runs and nothing is loaded but what comes from here; films play from buffers, and
 * subtitles hang on an empty track. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const makers: Readonly<Record<string, () => Promise<PageFile>>> = {
  '/watch': () => stored('watch.html', 'text/html; charset=utf-8'),
  '/watch/watch.css': () => stored('watch.css', 'text/css; charset=utf-8'),
  '/watch/watch.js': bundled,
}

/** `GET /watch?path=<film>`: a page that plays it. Files are made when they are first asked for. */
export function createWatchPage(): WatchPage {
  const fileAt = makeOnce(makeFile)
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (!Object.hasOwn(makers, pathname)) return undefined
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
      return answer(request, await fileAt(pathname))
    },
  }
}

async function makeFile(pathname: string): Promise<PageFile> {
  const make = makers[pathname]
  if (make === undefined) throw new Error(`there is nothing at ${pathname}`)
  return await make()
}

async function stored(name: string, contentType: string): Promise<PageFile> {
  return pageFile(await Bun.file(new URL(name, folder)).bytes(), contentType)
}

/** One file with the player in it: nothing comes from anywhere else. */
async function bundled(): Promise<PageFile> {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL('watch.ts', folder))],
    target: 'browser',
    minify: true,
  })
  const [script] = outputs
  if (script === undefined) throw new Error('The player could not be bundled')
  return pageFile(new Uint8Array(await script.arrayBuffer()), 'text/javascript; charset=utf-8')
}

const pageFile = (bytes: Uint8Array<ArrayBuffer>, contentType: string): PageFile => ({
  contentType,
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
  coded: new Map(),
})

async function answer(request: Request, file: PageFile): Promise<Response> {
  const headers: Record<string, string> = {
    'Content-Type': file.contentType,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'public, max-age=300',
    Vary: 'Accept-Encoding',
    ETag: file.etag,
  }
  const current = { etag: file.etag, lastModified: undefined }
  if (evaluatePreconditions(request, current) === 'not-modified')
    return new Response(null, { status: 304, headers })
  const coded = await inCoding(file, request.headers.get('accept-encoding'))
  const bytes = coded?.bytes ?? file.bytes
  headers['Content-Length'] = String(bytes.length)
  if (coded !== undefined) {
    headers['Content-Encoding'] = coded.coding
    headers['ETag'] = weakened(file.etag)
  }
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

const maxCodedCount = 16

/** Browsers send a handful of different fields; anyone else's are served without being kept. */
async function inCoding({ coded, bytes }: PageFile, field: string | null) {
  const key = field ?? ''
  const known = coded.get(key)
  if (known !== undefined) return known
  const made = await compress(bytes, field)
  if (coded.size < maxCodedCount) coded.set(key, made)
  return made
}
