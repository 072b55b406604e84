import { z } from 'zod'

import type { People } from '../../domain/access/people/people.ts'
import { methodOf, type Sessions } from '../../domain/access/sessions.ts'
import { type Call, type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { SessionRecord } from '../../ports/access/session-store.ts'
import { actorOf } from '../caller.ts'
import { namedPerson } from './named-person.ts'

export interface SessionsDependencies {
  readonly sessions: Sessions
  readonly people: Pick<People, 'known'>
}

const person = z.object({ id: z.string(), name: z.string() })

const session = z.object({
  id: z.string(),
  method: z.string().describe('`password`, `passkey`, `link` or `oidc`'),
  current: z.boolean().describe('Whether it is the one that asks'),
  ip: z.string().describe('Where it was opened from'),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().describe('To the minute'),
  expiresAt: z.iso.datetime().describe('Unless it is used before'),
  person: person.nullable().describe('Whose it is; null of an operator'),
})

const sessionList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Sessions: z.array(session),
  sessions: z.array(session),
  Count: z.int(),
})

const endedSession = z.object({ HttpCode: z.literal(200), Message: z.string(), id: z.string() })

const common = { plane: 'sessions', envelope: 'standard' } as const
const access = { keys: ['account'], session: true, isOwn: true } as const

const listSessions = operation({
  ...common,
  id: 'listSessions',
  method: 'get',
  path: '/api/sessions',
  summary: 'List who is signed in',
  access,
  responses: { 200: { description: 'The one seen last comes first', schema: sessionList } },
}).handledBy(({ sessions, people }: SessionsDependencies) => async ({ caller, respond }) => {
  const listed = (await sessions.list(actorOf(caller))).map((record) => ({
    ...sessionJson(record, caller),
    person: namedPerson(record.personId, people),
  }))
  return respond(200, {
    HttpCode: 200,
    Message: `${listed.length} sessions`,
    Sessions: listed,
    sessions: listed,
    Count: listed.length,
  })
})

const described = {
  ...common,
  method: 'delete',
  summary: 'End a session',
  access,
  responses: { 200: { description: 'Ended', schema: endedSession } },
} as const

type Described = Call<unknown, unknown, unknown, typeof described.responses>

async function end(
  { sessions }: SessionsDependencies,
  id: string,
  { caller, respond }: Pick<Described, 'caller' | 'respond'>,
) {
  await sessions.revoke(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: 'Session ended', id })
}

const endSession = operation({
  ...described,
  id: 'endSession',
  path: '/api/sessions/{id}',
  params: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: SessionsDependencies) =>
    ({ params, ...call }) =>
      end(dependencies, params.id, call),
)

const endSessionByQuery = operation({
  ...described,
  id: 'endSessionByQuery',
  path: '/api/sessions',
  query: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: SessionsDependencies) =>
    ({ query, ...call }) =>
      end(dependencies, query.id, call),
)

const sessionJson = (
  record: SessionRecord,
  caller: Caller,
): Omit<z.infer<typeof session>, 'person'> => ({
  id: record.id,
  method: methodOf(record),
  current: caller.sessionId === record.id,
  ip: record.ip,
  userAgent: record.userAgent ?? null,
  createdAt: record.createdAt.toISOString(),
  lastSeenAt: record.lastSeenAt.toISOString(),
  expiresAt: record.expiresAt.toISOString(),
})

/** `/api/sessions`. */
export const sessionOperations: readonly HandledOperation<SessionsDependencies>[] = [
  listSessions,
  endSession,
  endSessionByQuery,
]
