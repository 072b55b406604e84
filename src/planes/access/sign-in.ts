import { z } from 'zod'

import type { Attempts } from '../../domain/access/quotas/attempts.ts'
import type { Password } from '../../domain/access/password.ts'
import type { Newcomer, Sessions } from '../../domain/access/sessions.ts'
import { auditRecordOf } from '../../domain/access/actor.ts'
import { ifAvailable } from '../../domain/access/or-unavailable.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import { parseJson } from '../../http/request/body.ts'
import { refuseCrossSite } from '../../http/access/cross-site.ts'
import { type Call, type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import {
  presentedSession,
  sessionCookie,
  type SessionSettings,
} from '../../http/access/session-cookie.ts'
import { collectBytes } from '../../lib/bytes/byte-streams.ts'
import type { OneTimeSecrets } from '../../lib/secrets/one-time-secrets.ts'
import type { AuditLog } from '../../ports/content/audit-log.ts'
import { actorOf } from '../caller.ts'
import { ownPage } from './page/own-page.ts'
import { type SignInPage, signedOutParameter } from './sign-in-page.ts'

export interface SignInDependencies {
  readonly sessions: Sessions
  readonly sessionSettings: SessionSettings
  readonly password: Password
  readonly signInAttempts: Attempts
  readonly audit: AuditLog
  /** For a browser that was refused. */
  readonly signInPage: SignInPage
  /** What the links have that are shown to whoever starts the service at a terminal. */
  readonly signInLinks: Pick<OneTimeSecrets, 'spend'> | undefined
  readonly now: () => Date
}

const maxBodyBytes = 8192

const credentials = z.union([
  z.object({ password: z.string() }),
  z.object({
    once: z.string().describe('From the link that a start at a terminal shows: good once'),
  }),
])
type Credentials = z.infer<typeof credentials>

const common = {
  plane: 'sessions',
  envelope: 'standard',
  access: 'public',
  changesSession: true,
  method: 'post',
} as const

/** `POST /dashboard/login` and `POST /dashboard/logout`. */
const signIn = operation({
  ...common,
  id: 'signIn',
  path: '/dashboard/login',
  summary: 'Sign in with the password',
  description:
    'Takes `password`, or `once` of a link that a start at a terminal shows, as a form or as JSON. Five failures in 15 minutes per network; after a hundred of all together, networks that nobody signed in from lately wait their turn, one a second.',
  query: z.object({
    to: z.string().max(2000).optional().describe('The page of the dashboard to show afterwards'),
  }),
  body: {
    kind: 'bytes',
    maxBytes: maxBodyBytes,
    description: 'The password, as JSON or as a form',
    contentType: 'application/json',
    schema: credentials,
  },
  responses: {
    303: { description: 'Signed in; `cdn_session` is set' },
    401: {
      description: 'The password is wrong, or the link is not good any more',
      otherContentTypes: ['text/html'],
    },
  },
}).handledBy((dependencies: SignInDependencies) => (call) => openSession(call, dependencies))

const signOut = operation({
  ...common,
  id: 'signOut',
  path: '/dashboard/logout',
  summary: 'Sign out',
  responses: { 303: { description: 'Signed out' } },
}).handledBy((dependencies: SignInDependencies) => async ({ request, caller }) => {
  const { sessions, sessionSettings } = dependencies
  refuseCrossSite(request, sessionSettings.dashboardUrl)
  await endPresented(request, caller, sessions)
  return seeOther(
    `/dashboard/login?${signedOutParameter}=1`,
    sessionCookie(request, undefined, sessionSettings),
  )
})

async function openSession(
  {
    request,
    query,
    body,
    caller,
  }: Pick<
    Call<unknown, { readonly to?: string | undefined }, ReadableStream<Uint8Array>>,
    'request' | 'query' | 'body' | 'caller'
  >,
  dependencies: SignInDependencies,
): Promise<Response> {
  const { sessions, sessionSettings, password, signInPage } = dependencies
  refuseCrossSite(request, sessionSettings.dashboardUrl)
  const { given, isForm } = await readCredentials(request, body)
  const refusal = await refusalOf(given, caller, dependencies)
  // A browser's page says so where it can be tried again; programs get the envelope.
  const isPage = isForm && request.headers.get('accept')?.includes('text/html') === true
  if (refusal?.code === 'Unauthorized' && isPage)
    return await signInPage.refuse(request, refusal.message)
  if (refusal) throw refusal
  // A new session always has a new id, so that nobody can be given one that somebody else knows.
  await endPresented(request, caller, sessions)
  const method = 'once' in given ? 'link' : 'password'
  const { cookie } = await sessions.open({ openedWith: `${method}:${password.mark}` }, caller)
  return seeOther(ownPage(query.to), sessionCookie(request, cookie, sessionSettings))
}

async function refusalOf(
  given: Credentials,
  caller: Caller,
  dependencies: SignInDependencies,
): Promise<ServiceError | undefined> {
  const { signInAttempts, audit, now } = dependencies
  try {
    const attempt = await signInAttempts.begin(caller.ip)
    if (await isRight(given, dependencies)) {
      attempt.succeed()
      return undefined
    }
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  const target = 'once' in given ? 'link' : 'password'
  const deed = { action: 'session.refuse', target, meta: {} }
  await ifAvailable(audit.append(auditRecordOf(deed, actorOf(caller), now())))
  return new ServiceError('Unauthorized', refusals[target])
}

const isRight = async (
  given: Credentials,
  { password, signInLinks }: SignInDependencies,
): Promise<boolean> =>
  'once' in given ? signInLinks?.spend(given.once) === true : await password.verify(given.password)

const refusals = {
  password: 'The password is wrong',
  link: 'This link was used already or is older than ten minutes; sign in with the password',
} as const

interface GivenCredentials {
  readonly given: Credentials
  readonly isForm: boolean
}

async function readCredentials(
  request: Request,
  body: ReadableStream<Uint8Array>,
): Promise<GivenCredentials> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await collectBytes(body, Number(request.headers.get('content-length') ?? 0))
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/iu.test(type)
  const fields = isForm ? await readForm(bytes, type) : parseJson(bytes)
  const parsed = credentials.safeParse(fields)
  if (!parsed.success) throw invalid('password', 'is required, as text')
  return { given: parsed.data, isForm }
}

async function readForm(bytes: Uint8Array, type: string): Promise<unknown> {
  try {
    const form = await new Response(new Blob([bytes.slice()]), {
      headers: { 'Content-Type': type },
    }).formData()
    const once = form.get('once')
    return once === null ? { password: form.get('password') } : { once }
  } catch (cause) {
    throw invalid('body', 'must be a well-formed form', cause)
  }
}

/** Ends the session the request came with, where there is one that is good. */
export async function endPresented(
  request: Request,
  newcomer: Newcomer,
  sessions: Sessions,
): Promise<void> {
  const found = await presentedSession(request, (cookie) => sessions.find(cookie))
  if (found === undefined) return
  const credentialId =
    found.person === undefined ? `session:${found.id}` : `person:${found.person.id}`
  const actor = { ...newcomer, credentialId, zones: undefined }
  await sessions.revoke(found.id, actor).catch((error: unknown) => {
    // Somebody else ended it meanwhile.
    if (!(error instanceof ServiceError && error.code === 'NotFound')) throw error
  })
}

const seeOther = (location: string, setCookie: string): Response =>
  new Response(null, { status: 303, headers: { Location: location, 'Set-Cookie': setCookie } })

export const signInOperations: readonly HandledOperation<SignInDependencies>[] = [signIn, signOut]
