import { createHash } from 'node:crypto'

import type { Sessions } from '../../domain/access/sessions.ts'
import { errorResponse, toServiceError } from '../../http/envelopes.ts'
import { commonHeaders } from '../../http/exchange.ts'
import { incomingRequestId } from '../../http/request-id.ts'
import {
  readSessionCookie,
  sessionCookie,
  type SessionSettings,
} from '../../http/session-cookie.ts'
import type { Log } from '../../lib/log.ts'

/** A file of the pages, ready to be sent. */
export interface PageFile {
  readonly text: string
  readonly contentType: string
}

export interface PagesDependencies {
  /** By name, e.g. `login.html`; made when it is first asked for. */
  readonly file: (name: string) => Promise<PageFile>
  readonly sessions: Pick<Sessions, 'find'>
  readonly sessionSettings: SessionSettings
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Log
}

/** The few pages below `/dashboard/` on which an operator signs in and keeps passkeys. */
export interface Pages {
  /** `undefined` where there is no such page; never rejects. */
  answer(request: Request): Promise<Response | undefined>
}

interface Page {
  readonly file: string
  readonly isPrivate: boolean
}

const pages: Readonly<Record<string, Page>> = {
  '/dashboard/': { file: 'home.html', isPrivate: true },
  '/dashboard/login': { file: 'login.html', isPrivate: false },
  '/dashboard/passkeys': { file: 'passkeys.html', isPrivate: true },
  '/dashboard/access.css': { file: 'access.css', isPrivate: false },
  '/dashboard/sign-in.js': { file: 'sign-in.js', isPrivate: false },
  '/dashboard/passkeys.js': { file: 'passkeys.js', isPrivate: false },
}

export const createPages = (dependencies: PagesDependencies): Pages => ({
  async answer(request) {
    const { now, newId, log } = dependencies
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const requestId = incomingRequestId(request.headers) ?? newId()
    try {
      const response = await answerPage(request, dependencies)
      for (const [name, value] of Object.entries(commonHeaders(requestId)))
        if (response?.headers.has(name) === false) response.headers.set(name, value)
      return response
    } catch (error) {
      log.error('a page could not be shown', { error, requestId })
      return errorResponse(toServiceError(error), { envelope: 'standard', requestId, at: now() })
    }
  },
})

async function answerPage(
  request: Request,
  { file, sessions, sessionSettings }: PagesDependencies,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (pathname === '/dashboard') return redirect('/dashboard/', 308)
  const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined
  if (page === undefined) return undefined
  if (!page.isPrivate) return pageResponse(await file(page.file), request)
  const cookie = readSessionCookie(request)
  const found = cookie === undefined ? undefined : await sessions.find(cookie)
  if (found === undefined) return redirect('/dashboard/login', 303)
  const response = pageResponse(await file(page.file), request)
  if (found.newCookie !== undefined)
    response.headers.set('Set-Cookie', sessionCookie(request, found.newCookie, sessionSettings))
  return response
}

const redirect = (location: string, status: number): Response =>
  new Response(null, { status, headers: { Location: location } })

/** A 401 that is the page to sign in at, with a message. It is text alone, so nothing of it can be markup. */
export const createSignInPage =
  (file: PagesDependencies['file']) =>
  async (message: string): Promise<Response> => {
    const { text, contentType } = await file('login.html')
    const shown = text.replace('<!-- message -->', () => Bun.escapeHTML(message))
    const challenge = { 'WWW-Authenticate': 'Session realm="sedge"' }
    const headers = { ...pageHeaders, ...challenge, 'Content-Type': contentType }
    return new Response(shown, { status: 401, headers })
  }

function pageResponse({ text, contentType }: PageFile, request: Request): Response {
  const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`
  const headers = {
    ...pageHeaders,
    'Content-Type': contentType,
    'Cache-Control': 'private, no-cache',
    ETag: etag,
  }
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : text, { headers })
}

/**
 * Scripts and styles come from files of ours alone and pages are never shown in a frame. The browser
 * must go on naming the origin of what it sends: cross-site requests are told by it.
 */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'Referrer-Policy': 'same-origin',
}
