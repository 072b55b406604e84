import { z } from 'zod'

import type { Passkeys } from '../../domain/access/passkeys/passkeys.ts'
import type { People } from '../../domain/access/people/people.ts'
import type { Attempts } from '../../domain/access/quotas/attempts.ts'
import type { Sessions } from '../../domain/access/sessions.ts'
import { type Actor, personActorPrefix } from '../../domain/access/actor.ts'
import { ServiceError } from '../../domain/errors.ts'
import { refuseCrossSite } from '../../http/access/cross-site.ts'
import { sessionCookie, type SessionSettings } from '../../http/access/session-cookie.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { PersonRecord } from '../../ports/access/people-store.ts'
import { actorOf } from '../caller.ts'
import { requirePasskeySite } from './passkey-site.ts'
import { endPresented } from './sign-in.ts'

export interface InvitationsDependencies {
  readonly people: People
  readonly passkeys: Passkeys
  readonly sessions: Sessions
  readonly sessionSettings: SessionSettings
  readonly signInAttempts: Pick<Attempts, 'know'>
}

const secret = z.string().min(1).max(100).describe('What stands behind the `#` of the link')
const common = {
  plane: 'people',
  envelope: 'standard',
  access: 'public',
  changesSession: true,
  rateLimits: ['passkeys'],
  method: 'post',
} as const
const envelope = { HttpCode: z.literal(200), Message: z.string() }

const beginInvitation = operation({
  ...common,
  id: 'beginInvitation',
  path: '/api/invitations/begin',
  summary: 'Begin to take an invitation',
  description:
    'Says whom the link invites, and answers `PublicKeyCredentialCreationOptions` as JSON for the passkey to register. The link stays good until that is done.',
  body: { kind: 'json', schema: z.object({ secret }) },
  responses: {
    200: {
      description: 'What to hand to the browser',
      schema: z.looseObject({
        ...envelope,
        name: z.string(),
        email: z.string(),
        options: z.looseObject({}),
      }),
    },
    401: { description: 'The link was used, revoked, or is older than seven days' },
  },
}).handledBy(
  (dependencies: InvitationsDependencies) =>
    async ({ body, request, caller, respond }) => {
      const { passkeys, people, sessionSettings } = dependencies
      refuseCrossSite(request, sessionSettings.dashboardUrl)
      const person = requireInvited(body.secret, people)
      const site = requirePasskeySite(request, sessionSettings)
      const options = await passkeys.beginRegistration(site, actorFor(person, caller))
      const { name, email = '' } = person
      return respond(200, { HttpCode: 200, Message: `Welcome, ${name}`, name, email, options })
    },
)

const completeInvitation = operation({
  ...common,
  id: 'completeInvitation',
  path: '/api/invitations/complete',
  summary: 'Take an invitation',
  description: 'Registers the passkey and signs in; from then on the link is good no more.',
  body: {
    kind: 'json',
    maxBytes: 65_536,
    schema: z.object({
      secret,
      name: z.string().trim().min(1).max(100).default('Passkey').describe('Of the passkey'),
      credential: z.looseObject({}).describe('The `PublicKeyCredential` as JSON'),
    }),
  },
  responses: {
    200: {
      description: 'Signed in; `cdn_session` is set',
      schema: z.object({ ...envelope, name: z.string() }),
    },
    401: { description: 'The link was used, revoked, or is older than seven days' },
  },
}).handledBy(
  (dependencies: InvitationsDependencies) =>
    async ({ body, request, caller, respond }) => {
      const { passkeys, people, sessions, sessionSettings, signInAttempts } = dependencies
      refuseCrossSite(request, sessionSettings.dashboardUrl)
      const invited = requireInvited(body.secret, people)
      const actor = actorFor(invited, caller)
      const registration = { response: body.credential, name: body.name }
      // Of two that come with one link at once, one finds it used before anything of it is kept.
      const join = {
        id: invited.id,
        action: 'person.join',
        ends: 'nothing',
        change: (person: PersonRecord) => joined(person, body.secret, people),
      } as const
      const passkey = await passkeys.completeRegistration(registration, actor, async () => {
        await people.advance(join, actor)
      })
      signInAttempts.know(caller.ip)
      await endPresented(request, caller, sessions)
      const opening = { openedWith: `passkey:${passkey.id}`, personId: invited.id }
      const { cookie } = await sessions.open(opening, caller)
      return respond(
        200,
        { HttpCode: 200, Message: `Welcome, ${invited.name}`, name: invited.name },
        { 'Set-Cookie': sessionCookie(request, cookie, sessionSettings) },
      )
    },
)

function joined(person: PersonRecord, given: string, people: People): PersonRecord {
  if (people.invited(given)?.id !== person.id) throw linkIsOver()
  return { ...person, state: 'active', invitation: undefined }
}

function requireInvited(given: string, people: People): PersonRecord {
  const person = people.invited(given)
  if (person === undefined) throw linkIsOver()
  return person
}

const actorFor = ({ id }: PersonRecord, caller: Caller): Actor => ({
  ...actorOf(caller),
  credentialId: `${personActorPrefix}${id}`,
  zones: new Set(),
  personId: id,
})

const linkIsOver = () =>
  new ServiceError(
    'Unauthorized',
    'This link was used already, was revoked, or is older than seven days; ask for another one',
  )

/** `/api/invitations`. */
export const invitationOperations: readonly HandledOperation<InvitationsDependencies>[] = [
  beginInvitation,
  completeInvitation,
]
