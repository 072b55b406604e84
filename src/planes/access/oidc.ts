import { z } from 'zod'

import { auditRecordOf } from '../../domain/access/actor.ts'
import { ifAvailable } from '../../domain/access/or-unavailable.ts'
import { signInLifeSeconds } from '../../domain/access/people/begun-sign-ins.ts'
import type { ProviderVisits } from '../../domain/access/people/provider-visits.ts'
import type { Attempts } from '../../domain/access/quotas/attempts.ts'
import type { Sessions } from '../../domain/access/sessions.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { sessionCookie, type SessionSettings } from '../../http/access/session-cookie.ts'
import { laxCookie, readCookies } from '../../http/request/cookies.ts'
import type { AuditLog } from '../../ports/content/audit-log.ts'
import type { Log } from '../../lib/log.ts'
import { actorOf } from '../caller.ts'
import { ownPage } from './page/own-page.ts'
import { pageHeaders } from './page-headers.ts'
import { endPresented } from './sign-in.ts'
import type { SignInPage } from './sign-in-page.ts'

export interface OidcDependencies {
  /** Absent where none is set: nobody comes in this way. */
  readonly providerVisits: ProviderVisits | undefined
  readonly sessions: Sessions
  readonly sessionSettings: SessionSettings
  readonly signInPage: SignInPage
  readonly signInAttempts: Pick<Attempts, 'know'>
  readonly audit: AuditLog
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
}

const cookieName = 'sedge_oidc'
const cookiePath = '/dashboard/oidc/'
const common = {
  plane: 'sessions',
  envelope: 'standard',
  access: 'public',
  changesSession: true,
  rateLimits: ['passkeys'],
  method: 'get',
} as const
const page = { description: 'A page that says so', contentType: 'text/html' }

const startOidc = operation({
  ...common,
  id: 'startOidc',
  path: '/dashboard/oidc/start',
  summary: 'Sign in at the identity provider',
  description:
    'Leads the browser to the provider that `OIDC_ISSUER` names. `to` is the page of the dashboard to show afterwards.',
  query: z.object({ to: z.string().max(2000).optional() }),
  responses: { 303: { description: 'To the provider' }, 404: page, 503: page },
}).handledBy((dependencies: OidcDependencies) => async ({ query, request }) => {
  const { providerVisits, sessionSettings } = dependencies
  if (providerVisits === undefined) return await noProvider(request, dependencies)
  try {
    const callback = callbackOf(request, sessionSettings)
    const { url, held } = await providerVisits.begin(callback, ownPage(query.to))
    const cookie = heldCookie(request, held, sessionSettings)
    return new Response(null, { status: 303, headers: { Location: url, 'Set-Cookie': cookie } })
  } catch (error) {
    return await refuse(error, request, dependencies)
  }
})

const finishOidc = operation({
  ...common,
  id: 'finishOidc',
  path: '/dashboard/oidc/callback',
  summary: 'Come back from the identity provider',
  description:
    'Where the provider sends the browser back to: state, issuer, code, signature, audience, nonce and time are checked.',
  responses: {
    200: { description: 'Signed in; `cdn_session` is set', contentType: 'text/html' },
    401: page,
    403: page,
    404: page,
    503: page,
  },
}).handledBy((dependencies: OidcDependencies) => async ({ request, caller }) => {
  const { providerVisits, sessions, sessionSettings, signInAttempts } = dependencies
  if (providerVisits === undefined) return await noProvider(request, dependencies)
  try {
    const back = new URL(callbackOf(request, sessionSettings))
    back.search = new URL(request.url).search
    const held = readCookies(request.headers, cookieName)
    const { person, issuer, returnTo } = await providerVisits.finish(back, held, actorOf(caller))
    signInAttempts.know(caller.ip)
    await endPresented(request, caller, sessions)
    const opening = { openedWith: `oidc:${issuer}`, personId: person.id }
    const { cookie } = await sessions.open(opening, caller)
    const cookies = [
      sessionCookie(request, cookie, sessionSettings),
      heldCookie(request, '', sessionSettings),
    ]
    return await welcome(request, { to: returnTo, cookies }, dependencies)
  } catch (error) {
    await noteRefusal(error, caller, dependencies)
    return await refuse(error, request, dependencies)
  }
})

const leaveOidc = operation({
  ...common,
  id: 'leaveOidc',
  path: '/dashboard/oidc/logout',
  summary: 'Sign out at the identity provider as well',
  description: 'Leads the browser to the page of the provider on which one signs out there.',
  responses: { 303: { description: 'To the provider, or to sign in' } },
}).handledBy((dependencies: OidcDependencies) => async ({ request }) => {
  const { providerVisits, sessionSettings } = dependencies
  const here = `${originOf(request, sessionSettings)}/dashboard/login`
  const there = await providerVisits?.endUrl(here)
  return new Response(null, { status: 303, headers: { Location: there ?? '/dashboard/login' } })
})

/** The browser came here from another site: only where it goes by itself does it send a strict cookie. */
async function welcome(
  request: Request,
  { to, cookies }: { readonly to: string; readonly cookies: readonly string[] },
  { signInPage }: OidcDependencies,
): Promise<Response> {
  const { bytes, contentType } = await signInPage.welcome(request, to)
  const headers = new Headers({ ...pageHeaders, 'Content-Type': contentType })
  headers.set('Cache-Control', 'no-store')
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(bytes, { headers })
}

const statusByCode: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Unavailable: 503,
}

/** Says so where the password and passkeys are. */
async function refuse(
  error: unknown,
  request: Request,
  { signInPage, log }: OidcDependencies,
): Promise<Response> {
  const status = error instanceof ServiceError ? statusByCode[error.code] : undefined
  if (!(error instanceof ServiceError) || status === undefined) throw error
  log.warn('a sign-in at the identity provider came to nothing', { error })
  return await signInPage.refuse(request, error.message, status)
}

async function noteRefusal(
  error: unknown,
  caller: Caller,
  { audit, now }: OidcDependencies,
): Promise<void> {
  if (!(error instanceof ServiceError) || error.code === 'Unavailable') return
  const deed = { action: 'session.refuse', target: 'oidc', meta: {} }
  await ifAvailable(audit.append(auditRecordOf(deed, actorOf(caller), now())))
}

const noProvider = async (request: Request, { signInPage }: OidcDependencies) =>
  await signInPage.refuse(request, 'There is no identity provider here', 404)

const originOf = (request: Request, { dashboardUrl }: SessionSettings): string =>
  dashboardUrl ?? new URL(request.url).origin

const callbackOf = (request: Request, settings: SessionSettings): string =>
  `${originOf(request, settings)}/dashboard/oidc/callback`

/** An empty one makes the browser forget it. */
const heldCookie = (request: Request, sealed: string, settings: SessionSettings): string =>
  laxCookie(cookieName, sealed, {
    path: cookiePath,
    maxAgeSeconds: sealed === '' ? 0 : signInLifeSeconds,
    isSecure: originOf(request, settings).startsWith('https:'),
  })

/** `/dashboard/oidc/`. */
export const oidcOperations: readonly HandledOperation<OidcDependencies>[] = [
  startOidc,
  finishOidc,
  leaveOidc,
]
