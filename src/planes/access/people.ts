import { z } from 'zod'

import type { People } from '../../domain/access/people/people.ts'
import { type Role, roles, scopesOfRole } from '../../domain/access/people/roles.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { SessionSettings } from '../../http/access/session-cookie.ts'
import type { PersonRecord, RoleGrant } from '../../ports/access/people-store.ts'
import { actorOf } from '../caller.ts'
import { invitationUrlOf } from './invitation-url.ts'

export interface PeopleDependencies {
  readonly people: People
  readonly sessionSettings: SessionSettings
}

const printable = /^\P{Cc}*$/u
const name = z.string().trim().min(1).max(100).regex(printable, 'must have no control characters')
/** Enough of RFC 5321 for an address that is compared and shown: nothing is sent here. */
const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/u, 'must be an e-mail address')
  .toLowerCase()

const zones = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(1000)
  .nullable()
  .describe('The zones it is for; null for every one')
const givenRole = z.object({ role: z.enum(roles), zones: zones.default(null) })
const givenRoles = z.array(givenRole).max(roles.length)

const roleOf = z.object({
  role: z.enum(roles),
  zones,
  source: z
    .enum(['here', 'provider'])
    .describe('Given here, or by the groups at the identity provider at each sign-in'),
})

const person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  state: z.enum(['invited', 'active', 'disabled']),
  roles: z.array(roleOf),
  signsInAt: z.string().nullable().describe('The issuer that the person signs in at, if any'),
  invitationExpiresAt: z.iso.datetime().nullable().describe('Of a link that nobody has used yet'),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable().describe('To the minute'),
})

const envelope = { HttpCode: z.literal(200), Message: z.string() }
const invitation = z.object({
  url: z.string().describe('Lets the person in once; not to be had again'),
  expiresAt: z.iso.datetime(),
})
const onePerson = z.object({ ...envelope, Person: person })
const invitedPerson = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Person: person,
  Invitation: invitation.nullable().describe('Null where the person was here already'),
})

const common = { plane: 'people', envelope: 'standard' } as const
const mayRead = { keys: ['account'], session: true, personScope: 'people:read' } as const
const mayWrite = { keys: ['account'], session: true, personScope: 'people:write' } as const
const params = z.object({ id: z.string() })

const listPeople = operation({
  ...common,
  id: 'listPeople',
  method: 'get',
  path: '/api/people',
  summary: 'List people and their roles',
  access: mayRead,
  responses: {
    200: {
      description: 'By time of invitation',
      schema: z.object({ ...envelope, People: z.array(person), Count: z.int() }),
    },
  },
}).handledBy(({ people }: PeopleDependencies) => async ({ caller, respond }) => {
  const listed = people.list(actorOf(caller)).map(personJson)
  const Message = `${listed.length} people`
  return respond(200, { HttpCode: 200, Message, People: listed, Count: listed.length })
})

const invitePerson = operation({
  ...common,
  id: 'invitePerson',
  method: 'post',
  path: '/api/people',
  summary: 'Invite somebody',
  description:
    'Answers with a link that is good once, for seven days. Whoever is here already by that e-mail address gets the roles instead.',
  example: {
    body: { email: 'ana@example.com', name: 'Ana', roles: [{ role: 'editor', zones: ['acme'] }] },
  },
  access: mayWrite,
  body: {
    kind: 'json',
    schema: z.object({ email, name: name.optional(), roles: givenRoles.min(1) }),
  },
  responses: { 201: { description: 'Invited', schema: invitedPerson } },
}).handledBy(
  ({ people, sessionSettings }: PeopleDependencies) =>
    async ({ body, request, caller, respond }) => {
      const asked = { email: body.email, name: body.name ?? body.email, roles: rolesOf(body.roles) }
      const invited = await people.invite(asked, actorOf(caller))
      return respond(201, {
        HttpCode: 201,
        Message:
          invited.secret === undefined
            ? `"${invited.person.name}" was here already and has the roles now`
            : `"${invited.person.name}" is invited; the link is not shown again`,
        Person: personJson(invited.person),
        Invitation: invitationOf(invited, request, sessionSettings),
      })
    },
)

const getPerson = operation({
  ...common,
  id: 'getPerson',
  method: 'get',
  path: '/api/people/{id}',
  summary: 'Somebody and their roles',
  access: mayRead,
  params,
  responses: { 200: { description: 'The person', schema: onePerson } },
}).handledBy(({ people }: PeopleDependencies) => async ({ params: { id }, caller, respond }) => {
  const found = people.find(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: found.name, Person: personJson(found) })
})

const updatePerson = operation({
  ...common,
  id: 'updatePerson',
  method: 'patch',
  path: '/api/people/{id}',
  summary: 'Change roles, rename, disable or enable somebody',
  description:
    'Takes effect with the next request. `roles` replaces those that were given here, in the zones that are yours to give; other roles end an invitation that nobody has used yet. Who is disabled is signed out, and their tokens open nothing.',
  access: mayWrite,
  params,
  body: {
    kind: 'json',
    schema: z.object({
      name: name.optional(),
      roles: givenRoles.optional(),
      disabled: z.boolean().optional(),
    }),
  },
  responses: { 200: { description: 'Changed', schema: onePerson } },
}).handledBy(
  ({ people }: PeopleDependencies) =>
    async ({ params: { id }, body, caller, respond }) => {
      const change = {
        name: body.name,
        roles: body.roles && rolesOf(body.roles),
        isDisabled: body.disabled,
      }
      const changed = await people.update(id, change, actorOf(caller))
      const Message = `"${changed.name}" changed`
      return respond(200, { HttpCode: 200, Message, Person: personJson(changed) })
    },
)

const removePerson = operation({
  ...common,
  id: 'removePerson',
  method: 'delete',
  path: '/api/people/{id}',
  summary: 'Remove somebody',
  description:
    'Ends their sessions, passkeys and tokens. An admin of some zones takes away the roles there alone, where the person has others.',
  access: mayWrite,
  params,
  responses: {
    200: { description: 'Removed', schema: z.object({ ...envelope, id: z.string() }) },
  },
}).handledBy(({ people }: PeopleDependencies) => async ({ params: { id }, caller, respond }) => {
  const removed = await people.remove(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: `"${removed.name}" removed`, id })
})

const renewInvitation = operation({
  ...common,
  id: 'renewInvitation',
  method: 'post',
  path: '/api/people/{id}/invitation',
  summary: 'Make another link to come in with',
  description:
    'The one before is good no more. Also for who lost every passkey: it lets the person register another one.',
  access: mayWrite,
  params,
  responses: { 201: { description: 'Invited', schema: invitedPerson } },
}).handledBy(
  ({ people, sessionSettings }: PeopleDependencies) =>
    async ({ params: { id }, request, caller, respond }) => {
      const invited = await people.reinvite(id, actorOf(caller))
      return respond(201, {
        HttpCode: 201,
        Message: `"${invited.person.name}" is invited; the link is not shown again`,
        Person: personJson(invited.person),
        Invitation: invitationOf(invited, request, sessionSettings),
      })
    },
)

const revokeInvitation = operation({
  ...common,
  id: 'revokeInvitation',
  method: 'delete',
  path: '/api/people/{id}/invitation',
  summary: 'Revoke a link that nobody has used yet',
  access: mayWrite,
  params,
  responses: { 200: { description: 'Revoked', schema: onePerson } },
}).handledBy(({ people }: PeopleDependencies) => async ({ params: { id }, caller, respond }) => {
  const found = await people.revokeInvitation(id, actorOf(caller))
  return respond(200, {
    HttpCode: 200,
    Message: `The invitation of "${found.name}" is revoked`,
    Person: personJson(found),
  })
})

const reachSchema = z.object({
  scope: z.string(),
  zones: z.array(z.string()).nullable().describe('Where; null for every zone'),
})

const getSelf = operation({
  ...common,
  id: 'getSelf',
  method: 'get',
  path: '/api/people/me',
  summary: 'Who is asking, and what they may do',
  access: { keys: ['account'], session: true, isOwn: true },
  responses: {
    200: {
      description: 'The person; null of an operator, who may do everything',
      schema: z.object({ ...envelope, Person: person.nullable(), Scopes: z.array(reachSchema) }),
    },
  },
}).handledBy(({ people }: PeopleDependencies) => async ({ caller, respond }) => {
  const { personId } = caller
  const self = personId === undefined ? undefined : people.known(personId)
  return respond(200, {
    HttpCode: 200,
    Message: self?.name ?? 'An operator',
    Person: self === undefined ? null : personJson(self),
    Scopes: reachesOf(caller, people),
  })
})

/** Each scope that opens something, and where. */
function reachesOf({ personId }: Caller, people: People): z.infer<typeof reachSchema>[] {
  const all = scopesOfRole('admin')
  const standing = personId === undefined ? undefined : people.standing(personId)
  if (personId === undefined) return all.map((scope) => ({ scope, zones: null }))
  return all.flatMap((scope): z.infer<typeof reachSchema>[] => {
    const reach = standing?.reach(scope) ?? new Set<string>()
    if (reach === 'everywhere') return [{ scope, zones: null }]
    return reach.size === 0 ? [] : [{ scope, zones: [...reach].toSorted() }]
  })
}

const rolesOf = (given: z.infer<typeof givenRoles>) =>
  given.map((each) => ({ role: each.role, zones: each.zones ?? undefined }))

function invitationOf(
  { person: { invitation: made }, secret }: Awaited<ReturnType<People['invite']>>,
  request: Request,
  settings: SessionSettings,
): z.infer<typeof invitation> | null {
  if (secret === undefined || made === undefined) return null
  return {
    url: invitationUrlOf(secret, request, settings),
    expiresAt: made.expiresAt.toISOString(),
  }
}

const personJson = (record: PersonRecord): z.infer<typeof person> => ({
  id: record.id,
  email: record.email ?? '',
  name: record.name,
  // Who was removed is shown to nobody.
  state: record.state === 'removed' ? 'disabled' : record.state,
  roles: record.grants.flatMap(roleJson),
  signsInAt: record.identity?.issuer ?? null,
  invitationExpiresAt: record.invitation?.expiresAt.toISOString() ?? null,
  createdAt: record.createdAt.toISOString(),
  lastSeenAt: record.lastSeenAt?.toISOString() ?? null,
})

const isRole = (text: string): text is Role => roles.some((role) => role === text)

const roleJson = ({ role, zones: reached, source }: RoleGrant): z.infer<typeof roleOf>[] =>
  isRole(role) ? [{ role, zones: reached === undefined ? null : [...reached], source }] : []

/** `/api/people`. */
export const peopleOperations: readonly HandledOperation<PeopleDependencies>[] = [
  listPeople,
  invitePerson,
  getSelf,
  getPerson,
  updatePerson,
  removePerson,
  renewInvitation,
  revokeInvitation,
]
