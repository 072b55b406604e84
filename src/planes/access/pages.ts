import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { Sessions } from '../../domain/access/sessions.ts'
import { errorResponse, toServiceError } from '../../http/response/envelopes.ts'
import { commonHeaders } from '../../http/exchange.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import {
  presentedSession,
  sessionCookie,
  type SessionSettings,
} from '../../http/access/session-cookie.ts'
import { asPage, wantsPage } from '../../http/response/refusal-page.ts'
import { type StaticFile, staticResponse } from '../../http/response/static-file.ts'
import type { Log } from '../../lib/log.ts'
import { ownPage, queryOfPage } from './page/own-page.ts'
import { pageHeaders } from './page-headers.ts'
import type { SignInPage } from './sign-in-page.ts'

/** The dashboard itself: one page that loads its parts. */
export interface DashboardFiles {
  hasPage(name: string): boolean
  /** Begins to make it, so that it is there when whoever signs in comes to it. */
  prepare(): void
  shell(): Promise<StaticFile>
  /** What the page loads, under a name that changes with its content. */
  part(name: string): Promise<StaticFile | undefined>
}

export interface PagesDependencies {
  /** By name, e.g. `login.html`; made when it is first asked for. */
  readonly file: (name: string) => Promise<StaticFile>
  readonly signInPage: SignInPage
  readonly dashboard: DashboardFiles
  readonly sessions: Pick<Sessions, 'find'>
  readonly sessionSettings: SessionSettings
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Log
}

/** The pages below `/dashboard/`: those to sign in at, and behind a session the dashboard. */
export interface Pages {
  /** `undefined` where there is no such page; never rejects. */
  answer(request: Request): Promise<Response | undefined>
  /** Sends whoever reads to where the dashboard is; `undefined` for all else. */
  leadToDashboard(request: Request): Response | undefined
}

interface Page {
  readonly file: string
  readonly isPrivate: boolean
  /** Whether browsers need not ask again for a week. */
  readonly isLasting?: boolean
}

const pages: Readonly<Record<string, Page>> = {
  '/dashboard/passkeys': { file: 'passkeys.html', isPrivate: true },
  '/dashboard/icon.svg': { file: 'icon.svg', isPrivate: false, isLasting: true },
  '/dashboard/fonts/latin.woff2': { file: 'latin.woff2', isPrivate: false, isLasting: true },
  '/dashboard/fonts/latin-ext.woff2': {
    file: 'latin-ext.woff2',
    isPrivate: false,
    isLasting: true,
  },
  '/dashboard/access.css': { file: 'access.css', isPrivate: false },
  '/dashboard/sign-in.js': { file: 'sign-in.js', isPrivate: false },
  '/dashboard/passkeys.js': { file: 'passkeys.js', isPrivate: false },
  '/dashboard/invitation.js': { file: 'invitation.js', isPrivate: false },
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

export const createPages = (dependencies: PagesDependencies): Pages => ({
  leadToDashboard(request) {
    const { newId, sessionSettings } = dependencies
    if (!isRead(request) || sessionSettings.dashboardUrl === undefined) return undefined
    const response = redirect(sessionSettings.dashboardUrl + new URL(request.url).pathname, 307)
    const requestId = incomingRequestId(request.headers) ?? newId()
    for (const [name, value] of Object.entries(commonHeaders(requestId)))
      response.headers.set(name, value)
    return response
  },
  async answer(request) {
    const { now, newId, log } = dependencies
    if (!isRead(request)) return undefined
    const requestId = incomingRequestId(request.headers) ?? newId()
    try {
      const response = await answerPage(request, dependencies)
      for (const [name, value] of Object.entries(commonHeaders(requestId)))
        if (response?.headers.has(name) === false) response.headers.set(name, value)
      return response
    } catch (error) {
      log.error('a page could not be shown', { error, requestId })
      const refusal = toServiceError(error)
      const response = errorResponse(refusal, { envelope: 'standard', requestId, at: now() })
      return wantsPage(request)
        ? asPage(response, refusal, { url: request.url, requestId, isOwnHost: true })
        : response
    }
  },
})

async function answerPage(
  request: Request,
  dependencies: PagesDependencies,
): Promise<Response | undefined> {
  const { dashboard, signInPage } = dependencies
  const { pathname } = new URL(request.url)
  if (pathname === '/dashboard') return redirect('/dashboard/', 308)
  if (pathname.startsWith(partsPath)) return answerPart(request, dashboard)
  const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined
  const open = openPages.get(pathname)
  if (open !== undefined) return await signInPage[open](request)
  if (page?.isPrivate === false) return await answerOpenPage(request, page, dependencies)
  if (page !== undefined)
    return behindSession(request, () => signInPage.passkeys(request), dependencies)
  const name = pathname.slice('/dashboard/'.length)
  if (name === '' || dashboard.hasPage(name))
    return behindSession(request, () => dashboard.shell(), dependencies)
  return undefined
}

async function answerOpenPage(
  request: Request,
  { file: name, isLasting }: Page,
  { file, dashboard }: PagesDependencies,
): Promise<Response> {
  // Of what the page to sign in at is made of: whoever loads it will come to the dashboard.
  dashboard.prepare()
  const lasting = isLasting === true ? { 'Cache-Control': cacheLifetimes.pagePart } : {}
  return await staticResponse(request, await file(name), { ...pageHeaders, ...lasting })
}

const signInPath = '/dashboard/login'
const openPages: ReadonlyMap<string, 'answer' | 'invite'> = new Map([
  [signInPath, 'answer'],
  ['/dashboard/invitation', 'invite'],
])
const partsPath = '/dashboard/assets/'

async function answerPart(
  request: Request,
  dashboard: DashboardFiles,
): Promise<Response | undefined> {
  const part = await dashboard.part(new URL(request.url).pathname.slice(partsPath.length))
  return (
    part &&
    staticResponse(request, part, { ...pageHeaders, 'Cache-Control': cacheLifetimes.pinned })
  )
}

async function behindSession(
  request: Request,
  file: () => Promise<StaticFile>,
  { sessions, sessionSettings }: PagesDependencies,
): Promise<Response> {
  const found = await presentedSession(request, (cookie) => sessions.find(cookie))
  if (found === undefined) {
    const { pathname, search } = new URL(request.url)
    return redirect(signInPath + queryOfPage(ownPage(pathname + search)), 303)
  }
  const response = await staticResponse(request, await file(), pageHeaders)
  if (found.newCookie !== undefined)
    response.headers.set('Set-Cookie', sessionCookie(request, found.newCookie, sessionSettings))
  return response
}

const redirect = (location: string, status: number): Response =>
  new Response(null, { status, headers: { Location: location } })
