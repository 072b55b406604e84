import { z } from 'zod'

import { methodOf, type Sessions } from '../../domain/access/sessions.ts'
import { type Caller, type Operation, operation, success } from '../../http/operation.ts'
import type { SessionRecord } from '../../ports/access/session-store.ts'
import { actorOf } from '../actor-of.ts'

export interface SessionsDependencies {
  readonly sessions: Sessions
}

const session = z.object({
  id: z.string(),
  method: z.string().describe('`password`, `passkey` or `link`'),
  current: z.boolean().describe('Whether it is the one that asks'),
  ip: z.string().describe('Where it was opened from'),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().describe('To the minute'),
  expiresAt: z.iso.datetime().describe('Unless it is used before'),
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
const access = { keys: ['account'], session: true } as const

/** `/api/sessions`. */
export const sessionOperations = (dependencies: SessionsDependencies): readonly Operation[] => [
  listOperation(dependencies),
  ...endOperations(dependencies),
]

const listOperation = ({ sessions }: SessionsDependencies): Operation =>
  operation({
    ...common,
    id: 'listSessions',
    method: 'get',
    path: '/api/sessions',
    summary: 'List who is signed in',
    access,
    responses: { 200: { description: 'The one seen last comes first', schema: sessionList } },
    async handle({ caller }) {
      const listed = (await sessions.list()).map((record) => sessionAnswer(record, caller))
      return success(200, `${listed.length} sessions`, {
        Sessions: listed,
        sessions: listed,
        Count: listed.length,
      })
    },
  })

const endOperations = ({ sessions }: SessionsDependencies): readonly Operation[] => {
  const end = async (id: string, caller: Caller) => {
    await sessions.revoke(id, actorOf(caller))
    return success(200, 'Session ended', { id })
  }
  const described = {
    ...common,
    method: 'delete',
    summary: 'End a session',
    access,
    responses: { 200: { description: 'Ended', schema: endedSession } },
  } as const
  return [
    operation({
      ...described,
      id: 'endSession',
      path: '/api/sessions/{id}',
      params: z.object({ id: z.string() }),
      handle: ({ params, caller }) => end(params.id, caller),
    }),
    operation({
      ...described,
      id: 'endSessionByQuery',
      path: '/api/sessions',
      query: z.object({ id: z.string() }),
      handle: ({ query: { id }, caller }) => end(id, caller),
    }),
  ]
}

const sessionAnswer = (record: SessionRecord, caller: Caller): z.infer<typeof session> => ({
  id: record.id,
  method: methodOf(record),
  current: caller.credentialId === `session:${record.id}`,
  ip: record.ip,
  userAgent: record.userAgent ?? null,
  createdAt: record.createdAt.toISOString(),
  lastSeenAt: record.lastSeenAt.toISOString(),
  expiresAt: record.expiresAt.toISOString(),
})
