import {
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server'

import { limitReached } from '../../../http/response/rate-limit-fields.ts'
import { networkOf } from '../../../lib/net/address-list.ts'
import { type Agent, authInfoOf } from '../agent.ts'

/** Conversations of the revision before the newest, which have a handshake and state. */
export interface Sessions {
  /** Never rejects for what a client sends, but for bounds. */
  respond(request: Request, agent: Agent, body: unknown): Promise<Response>
  close(): Promise<void>
}

interface Options {
  readonly openServer: (agent: Agent) => McpServer
  readonly newId: () => string
  readonly now: () => Date
  readonly bounds?: SessionBounds
}

export interface SessionBounds {
  readonly perToken: number
  readonly perNetwork: number
  readonly total: number
  /** A session that nothing was asked of for so long is over. */
  readonly idleMs: number
}

const usualBounds: SessionBounds = {
  perToken: 20,
  perNetwork: 50,
  total: 1000,
  idleMs: 30 * 60_000,
}

interface Session {
  readonly credentialId: string
  readonly network: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly server: McpServer
  usedAt: number
}

export function createSessions(options: Options): Sessions {
  const { now, bounds = usualBounds } = options
  const sessions = new Map<string, Session>()
  return {
    async respond(request, agent, body) {
      forgetIdle(sessions, now().getTime() - bounds.idleMs)
      const id = request.headers.get('mcp-session-id')
      if (id === null) return await begin({ request, agent, body }, sessions, options)
      const session = sessions.get(id)
      // Another's session is none: who knows its id learns nothing by it.
      if (session === undefined || session.credentialId !== agent.credential.id) return gone()
      session.usedAt = now().getTime()
      return await handle(session.transport, { request, agent, body })
    },
    async close() {
      const all = [...sessions.values()]
      sessions.clear()
      await Promise.all(all.map(({ server }) => server.close()))
    },
  }
}

interface Sent {
  readonly request: Request
  readonly agent: Agent
  readonly body: unknown
}

const handle = (
  transport: WebStandardStreamableHTTPServerTransport,
  { request, agent, body }: Sent,
): Promise<Response> =>
  transport.handleRequest(request, {
    authInfo: authInfoOf(agent),
    ...(body !== undefined && { parsedBody: body }),
  })

async function begin(
  sent: Sent,
  sessions: Map<string, Session>,
  { openServer, newId, now, bounds = usualBounds }: Options,
): Promise<Response> {
  const { agent } = sent
  const of = {
    credentialId: agent.credential.id,
    network: networkOf(agent.clientAddress),
  }
  requireRoom([...sessions.values()], of, bounds)
  const server = openServer(agent)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: newId,
    keepAliveMs: 10_000,
    onsessioninitialized: (id) =>
      void sessions.set(id, { ...of, transport, server, usedAt: now().getTime() }),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await server.connect(transport)
  const response = await handle(transport, sent)
  if (transport.sessionId === undefined) await server.close()
  return response
}

function forgetIdle(sessions: Map<string, Session>, before: number): void {
  for (const [id, session] of sessions)
    if (session.usedAt < before) {
      sessions.delete(id)
      void session.server.close()
    }
}

function requireRoom(
  all: readonly Session[],
  of: Pick<Session, 'credentialId' | 'network'>,
  { perToken, perNetwork, total, idleMs }: SessionBounds,
): void {
  const ofToken = all.filter(({ credentialId }) => credentialId === of.credentialId).length
  const ofNetwork = all.filter(({ network }) => network === of.network).length
  if (ofToken >= perToken) throw tooMany('sessions-token', perToken, idleMs)
  if (ofNetwork >= perNetwork) throw tooMany('sessions-network', perNetwork, idleMs)
  if (all.length >= total) throw tooMany('sessions', total, idleMs)
}

const tooMany = (name: string, quota: number, idleMs: number) => {
  const seconds = Math.round(idleMs / 1000)
  return limitReached({ name, quota, windowSeconds: seconds, remaining: 0, resetSeconds: 60 })
}

const gone = (): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } },
    { status: 404 },
  )
