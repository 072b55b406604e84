import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import { type StaticFile, staticResponse } from '../../../http/response/static-file.ts'

/** The player page and what it is made of. */
export interface WatchPage {
  /** `undefined` for a URL that is not the page's. */
  fetch(request: Request): Promise<Response | undefined>
}

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

const nameByPath: Readonly<Record<string, string>> = {
  '/watch': 'watch.html',
  '/watch/watch.css': 'watch.css',
  '/watch/watch.js': 'watch.js',
}

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': cacheLifetimes.watchPage,
}

/** `GET /watch?path=<video>`: a page that plays it. */
export const createWatchPage = (file: (name: string) => Promise<StaticFile>): WatchPage => ({
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const name = Object.hasOwn(nameByPath, pathname) ? nameByPath[pathname] : undefined
    if (name === undefined) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
    return await staticResponse(request, await file(name), headers)
  },
})
