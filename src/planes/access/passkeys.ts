import { z } from 'zod'

import type { Attempts } from '../../domain/access/quotas/attempts.ts'
import type { Passkeys } from '../../domain/access/passkeys/passkeys.ts'
import type { Sessions } from '../../domain/access/sessions.ts'
import { refuseCrossSite } from '../../http/access/cross-site.ts'
import { type Call, type HandledOperation, operation } from '../../http/operation.ts'
import { sessionCookie, type SessionSettings } from '../../http/access/session-cookie.ts'
import type { PasskeyRecord } from '../../ports/access/passkey-store.ts'
import { actorOf } from '../caller.ts'
import { requirePasskeySite } from './passkey-site.ts'
import { endPresented } from './sign-in.ts'

export interface PasskeysDependencies {
  readonly passkeys: Passkeys
  readonly signInAttempts: Pick<Attempts, 'know'>
  readonly sessions: Sessions
  readonly sessionSettings: SessionSettings
}

const maxAnswerBytes = 65_536

const passkey = z.object({
  id: z.string().describe('The credential id'),
  name: z.string(),
  transports: z.array(z.string()),
  backedUp: z.boolean().describe('Whether it is kept in more than one place'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})

const envelope = { HttpCode: z.literal(200), Message: z.string() }
const begun = z.looseObject({
  ...envelope,
  challenge: z.string(),
  options: z.looseObject({}).describe('The same options, to hand on as they are'),
})
const credential = z.looseObject({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.looseObject({}),
})
const added = z.object({ HttpCode: z.literal(201), Message: z.string(), Passkey: passkey })
const signedIn = z.object({ ...envelope, verified: z.literal(true), name: z.string() })
const passkeyList = z.object({
  ...envelope,
  Passkeys: z.array(passkey),
  passkeys: z.array(passkey),
  Count: z.int(),
})
const removed = z.object({ ...envelope, id: z.string() })

const common = { plane: 'passkeys', envelope: 'standard' } as const
const forOwners = { keys: ['account'], session: true, isOwn: true } as const
const limited = { access: 'public', changesSession: true, rateLimits: ['passkeys'] } as const

const beginPasskeyRegistration = operation({
  ...common,
  id: 'beginPasskeyRegistration',
  method: 'post',
  path: '/api/passkeys/register/begin',
  summary: 'Begin to register a passkey',
  description: 'Answers `PublicKeyCredentialCreationOptions` as JSON; good once, for five minutes.',
  access: forOwners,
  responses: { 200: { description: 'What to hand to the browser', schema: begun } },
}).handledBy(
  ({ passkeys, sessionSettings }: PasskeysDependencies) =>
    async ({ request, caller, respond }) => {
      const site = requirePasskeySite(request, sessionSettings)
      const options = await passkeys.beginRegistration(site, actorOf(caller))
      return respond(200, {
        HttpCode: 200,
        Message: 'Ask the authenticator now',
        ...options,
        options,
      })
    },
)

const completePasskeyRegistration = operation({
  ...common,
  id: 'completePasskeyRegistration',
  method: 'post',
  path: '/api/passkeys/register/complete',
  summary: 'Register a passkey',
  access: forOwners,
  body: {
    kind: 'json',
    maxBytes: maxAnswerBytes,
    schema: credential.extend({
      name: z.string().trim().min(1).max(100).default('Passkey').describe('What you call it'),
    }),
  },
  responses: { 201: { description: 'Registered', schema: added } },
}).handledBy(
  ({ passkeys }: PasskeysDependencies) =>
    async ({ body: { name, ...response }, caller, respond }) => {
      const record = await passkeys.completeRegistration({ response, name }, actorOf(caller))
      return respond(201, {
        HttpCode: 201,
        Message: `Passkey "${record.name}" registered`,
        Passkey: passkeyJson(record),
      })
    },
)

const beginPasskeyAuthentication = operation({
  ...common,
  ...limited,
  id: 'beginPasskeyAuthentication',
  method: 'post',
  path: '/api/passkeys/auth/begin',
  summary: 'Begin to sign in with a passkey',
  description: 'Answers `PublicKeyCredentialRequestOptions` as JSON; good once, for five minutes.',
  responses: { 200: { description: 'What to hand to the browser', schema: begun } },
}).handledBy((dependencies: PasskeysDependencies) => async ({ request, respond }) => {
  const site = requirePasskeySite(request, dependencies.sessionSettings)
  const options = dependencies.passkeys.beginAuthentication(site)
  return respond(200, { HttpCode: 200, Message: 'Ask the authenticator now', ...options, options })
})

const completePasskeyAuthentication = operation({
  ...common,
  ...limited,
  id: 'completePasskeyAuthentication',
  method: 'post',
  path: '/api/passkeys/auth/complete',
  summary: 'Sign in with a passkey',
  body: { kind: 'json', maxBytes: maxAnswerBytes, schema: credential },
  responses: {
    200: { description: 'Signed in; `cdn_session` is set', schema: signedIn },
    401: { description: 'The passkey was not accepted' },
  },
}).handledBy((dependencies: PasskeysDependencies) => async ({ body, request, caller, respond }) => {
  const { passkeys, sessions, sessionSettings, signInAttempts } = dependencies
  refuseCrossSite(request, sessionSettings.dashboardUrl)
  const site = requirePasskeySite(request, sessionSettings)
  const { id, name, personId } = await passkeys.completeAuthentication(body, site)
  signInAttempts.know(caller.ip)
  await endPresented(request, caller, sessions)
  const { cookie } = await sessions.open({ openedWith: `passkey:${id}`, personId }, caller)
  return respond(
    200,
    { HttpCode: 200, Message: `Signed in with "${name}"`, verified: true, name },
    { 'Set-Cookie': sessionCookie(request, cookie, sessionSettings) },
  )
})

const listPasskeys = operation({
  ...common,
  id: 'listPasskeys',
  method: 'get',
  path: '/api/passkeys',
  summary: 'List passkeys',
  access: forOwners,
  responses: { 200: { description: 'By time of registration', schema: passkeyList } },
}).handledBy(({ passkeys }: PasskeysDependencies) => async ({ caller, respond }) => {
  const listed = (await passkeys.list(actorOf(caller))).map(passkeyJson)
  return respond(200, {
    HttpCode: 200,
    Message: `${listed.length} passkeys`,
    Passkeys: listed,
    passkeys: listed,
    Count: listed.length,
  })
})

const described = {
  ...common,
  method: 'delete',
  summary: 'Remove a passkey and end the sessions it opened',
  access: forOwners,
  responses: { 200: { description: 'Removed', schema: removed } },
} as const

type Described = Call<unknown, unknown, unknown, typeof described.responses>

async function remove(
  { passkeys }: PasskeysDependencies,
  id: string,
  { caller, respond }: Pick<Described, 'caller' | 'respond'>,
) {
  await passkeys.remove(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: 'Passkey removed', id })
}

const removePasskey = operation({
  ...described,
  id: 'removePasskey',
  path: '/api/passkeys/{id}',
  params: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: PasskeysDependencies) =>
    ({ params, ...call }) =>
      remove(dependencies, params.id, call),
)

const removePasskeyByQuery = operation({
  ...described,
  id: 'removePasskeyByQuery',
  path: '/api/passkeys',
  query: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: PasskeysDependencies) =>
    ({ query, ...call }) =>
      remove(dependencies, query.id, call),
)

const passkeyJson = (record: PasskeyRecord): z.infer<typeof passkey> => ({
  id: record.id,
  name: record.name,
  transports: [...record.transports],
  backedUp: record.isBackedUp,
  createdAt: record.createdAt.toISOString(),
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
})

/** `/api/passkeys`. */
export const passkeyOperations: readonly HandledOperation<PasskeysDependencies>[] = [
  beginPasskeyRegistration,
  completePasskeyRegistration,
  beginPasskeyAuthentication,
  completePasskeyAuthentication,
  listPasskeys,
  removePasskey,
  removePasskeyByQuery,
]
