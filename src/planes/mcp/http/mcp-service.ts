import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'

import { ServiceError } from '../../../domain/errors.ts'
import type { Authenticate, Credential } from '../../../http/access/authorize.ts'
import type { RateLimits } from '../../../http/access/rate-limits.ts'
import { commonHeaders } from '../../../http/exchange.ts'
import { readBytesOfJson } from './json-body.ts'
import { clientAddress } from '../../../http/request/client-address.ts'
import { incomingRequestId } from '../../../http/request/request-id.ts'
import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import type { AddressList } from '../../../lib/net/address-list.ts'
import type { Log } from '../../../lib/log.ts'
import { type Agent, authInfoOf, headersOf } from '../agent.ts'
import type { CallBounds } from './call-bounds.ts'
import { refusalResponse } from './refusal-response.ts'
import { corsHeaders, isOriginAllowed, type OriginRules, preflight } from './origin-check.ts'
import { challengeOf, metadataPath, resourceMetadata } from './resource-metadata.ts'
import { refusedCall } from './refused-call.ts'
import { responding, createStreamBounds, listening, type StreamBounds } from './stream-bounds.ts'
import { createSessions, type SessionBounds } from './sessions.ts'

/** The interface for agents: Streamable HTTP at `/mcp`, and what says how to sign in there. */
export interface McpService {
  /** Never rejects. */
  fetch(request: Request, peerAddress: string): Promise<Response>
  /** Names how the listener is told not to cut off a quiet connection. */
  keepOpenWith(keepOpen: (request: Request) => void): void
  /** Ends all that goes on, so that the listener can stop. */
  closeAll(): void
}

export interface McpDependencies extends OriginRules {
  /** What one agent is offered, made anew for each message of the newest revision and each session before it. */
  readonly openServer: (of: Pick<McpRequestContext, 'authInfo'>) => McpServer
  readonly authenticate: Authenticate
  readonly calls: CallBounds
  readonly rateLimits: Pick<RateLimits, 'charge'>
  readonly trustedProxies: AddressList
  readonly newId: () => string
  readonly now: () => Date
  readonly log: Log
  readonly sessionBounds?: SessionBounds
}

/** A piece of a file in base64, and room for the rest of the message. */
const maxBodyBytes = 3 * 2 ** 20

export function createMcpService(dependencies: McpDependencies): McpService {
  const { openServer, newId, now, log, sessionBounds } = dependencies
  const modern = createMcpHandler(openServer, {
    legacy: 'reject',
    keepAliveMs: 10_000,
    maxSubscriptions: 200,
    onerror: (error) => log.debug('an agent sent what is no good', { error }),
  })
  const sessions = createSessions({
    openServer: (agent) => openServer({ authInfo: authInfoOf(agent) }),
    newId,
    now,
    ...(sessionBounds && { bounds: sessionBounds }),
  })
  let keepOpen: ((request: Request) => void) | undefined
  const parts = {
    modern,
    sessions,
    streams: createStreamBounds(listening),
    responses: createStreamBounds(responding),
    keepOpen: (request: Request) => keepOpen?.(request),
  }
  return {
    async fetch(request, peerAddress) {
      const requestId = incomingRequestId(request.headers) ?? newId()
      const response = await respond({ request, peerAddress }, { ...dependencies, ...parts }).catch(
        (thrown: unknown) => refusalResponse(thrown, { request, log }),
      )
      return withHeaders(response, {
        ...commonHeaders(requestId),
        ...corsOf(request, dependencies),
      })
    },
    keepOpenWith: (keep) => void (keepOpen = keep),
    closeAll: () => void Promise.all([modern.close(), sessions.close()]),
  }
}

interface Parts extends McpDependencies {
  readonly modern: McpHttpHandler
  readonly sessions: ReturnType<typeof createSessions>
  readonly streams: StreamBounds
  readonly responses: StreamBounds
  readonly keepOpen: (request: Request) => void
}

interface Arrived {
  readonly request: Request
  readonly peerAddress: string
}

async function respond(arrived: Arrived, parts: Parts): Promise<Response> {
  const { request } = arrived
  const { pathname } = new URL(request.url)
  if (!isOriginAllowed(request, parts))
    throw new ServiceError('Forbidden', 'pages of that origin may not call', { target: 'Origin' })
  const baseUrl = parts.baseUrl ?? new URL(request.url).origin
  if (request.method === 'OPTIONS') return preflight(request)
  if (pathname.startsWith(metadataPath)) return metadataResponse(request, baseUrl)
  const agent = await agentOf(arrived, parts)
  if (agent === undefined) return unauthorized(request, baseUrl)
  parts.keepOpen(request)
  if (request.method !== 'POST') return await parts.sessions.respond(request, agent, undefined)
  return await respondToMessage(request, agent, parts)
}

async function respondToMessage(request: Request, agent: Agent, parts: Parts): Promise<Response> {
  const body = await readBytesOfJson(request, maxBodyBytes)
  if (Array.isArray(body))
    throw new ServiceError('InvalidParameter', 'batches are of neither revision', {
      target: 'body',
    })
  const isLegacy = await isLegacyRequest(request, body)
  try {
    const begin = () =>
      isLegacy
        ? parts.sessions.respond(request, agent, body)
        : parts.modern.fetch(request, { authInfo: authInfoOf(agent), parsedBody: body })
    // What a person answers to a question has to come through while calls wait for it.
    if (!isCall(body)) return await begin()
    chargeFor(agent, parts)
    return await (isListening(body) ? parts.streams : parts.responses).hold(agent, begin)
  } catch (error) {
    const refused = refusedCall(error, { body, isLegacy })
    if (refused === undefined) throw error
    return refused
  }
}

/** The token first: what it may not ask any more costs nobody else at its network anything. */
function chargeFor({ credential, clientAddress: address }: Agent, parts: Parts): void {
  parts.calls.charge(credential.id)
  parts.rateLimits.charge('agents', address)
}

/** Whatever is asked; notifications and responses are counted with what they belong to. */
const isCall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && 'id' in body

/** What goes on until somebody hangs up; of the revision before, a session has one such stream. */
const isListening = (body: unknown): boolean =>
  isCall(body) && (body as { readonly method: unknown }).method === 'subscriptions/listen'

function metadataResponse(request: Request, baseUrl: string): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ServiceError('MethodNotAllowed', `${request.method} is not possible here`)
  const headers = { 'Cache-Control': cacheLifetimes.rootFile }
  const response = Response.json(resourceMetadata(baseUrl), { headers })
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** Who asks, by a key or a token. A browser's session opens nothing here. */
async function agentOf(
  { request, peerAddress }: Arrived,
  parts: Parts,
): Promise<Agent | undefined> {
  const address = clientAddress(request.headers, peerAddress, parts.trustedProxies)
  const headers = new Headers(headersOf(request))
  const found = await parts.authenticate(new Request(request.url, { headers }), address)
  const credentials = found.filter(isOfPrograms)
  const [credential] = credentials
  if (credential === undefined) return undefined
  return {
    credential,
    credentials,
    headers: headersOf(request),
    origin: new URL(request.url).origin,
    baseUrl: parts.baseUrl ?? new URL(request.url).origin,
    peerAddress,
    clientAddress: address,
  }
}

const isOfPrograms = ({ kind }: Credential): boolean => kind === 'key' || kind === 'token'

function unauthorized(request: Request, baseUrl: string): Response {
  const error = request.headers.has('authorization') ? 'invalid_token' : undefined
  return Response.json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_001, message: `a token is needed; see ${baseUrl}/docs/agents` },
    },
    { status: 401, headers: { 'WWW-Authenticate': challengeOf(baseUrl, error) } },
  )
}

const corsOf = (request: Request, rules: OriginRules): Readonly<Record<string, string>> =>
  isOriginAllowed(request, rules) ? corsHeaders(request) : {}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}
