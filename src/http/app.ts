import { Hono } from 'hono'
import { matchedRoutes } from 'hono/route'

import { ServiceError } from '../domain/errors.ts'
import type { AddressList } from '../lib/net/address-list.ts'
import type { Log } from '../lib/log.ts'
import type { UnderWay } from '../lib/under-way.ts'
import { logRefusal } from './observed/log-refusal.ts'
import { toResponse } from './reply.ts'
import { admit, challenge, type Authenticate, type Credential } from './access/authorize.ts'
import { readBody } from './request/body.ts'
import { cameOverTls, clientAddress } from './request/client-address.ts'
import {
  allowedMethods,
  operationsInQuestion,
  crossOriginHeaders,
  nameOrigin,
  preflightHeaders,
} from './access/cors.ts'
import { errorResponse, supportedApiVersions, toServiceError } from './response/envelopes.ts'
import { commonHeaders, type Exchange } from './exchange.ts'
import { type KeyGuesses, slowGuesses } from './access/key-guesses.ts'
import { type Caller, type Endpoint, type Operation, respond } from './operation.ts'
import type { Positions } from './position.ts'
import { handlePositioned } from './positioned-call.ts'
import { readQuery } from './request/query.ts'
import { authenticateGrants, type FindGrant } from './access/upload-grant.ts'
import { rateLimitHeaders } from './response/rate-limit-fields.ts'
import type { RateLimits } from './access/rate-limits.ts'
import {
  continueTrace,
  incomingRequestId,
  parseTraceparent,
  spanIdFrom,
} from './request/request-id.ts'
import { type ResponseCheck, ResponseFault } from './response-check.ts'
import { methodOverride } from './request/method-override.ts'
import { bySpecificity, honoPattern, readParams } from './routes.ts'
import { asPage, wantsPage } from './response/refusal-page.ts'
import { validate } from './request/validation.ts'
import { zoneNamedBy } from './observed/zone-named.ts'
import type { ObservedResponse } from './observed/observed-response.ts'

export interface AppOptions {
  readonly endpoints: readonly Endpoint[]
  readonly authenticate: Authenticate
  /** Knows upload grants; none where it is left out. */
  readonly findGrant?: FindGrant
  /** Counts wrong keys; they are not counted where it is left out. */
  readonly guesses?: KeyGuesses
  readonly rateLimits: RateLimits
  /** What responses show; they say nothing of it where it is left out. */
  readonly positions?: Positions
  readonly trustedProxies: AddressList
  /** Origins whose pages may call what takes keys and tokens; none where left out. */
  readonly corsOrigins?: ReadonlySet<string>
  readonly now: () => Date
  /** Random uuids. */
  readonly newId: () => string
  readonly log: Log
  /** Holds each response against what its operation declares; where left out, nothing does. */
  readonly responseCheck?: ResponseCheck | undefined
  /** Told of each operation, by name, while it is being done. */
  readonly underWay?: Pick<UnderWay, 'begin'> | undefined
  /** Told of every response before it is sent. Must not throw. */
  readonly onResponse?: (answered: ObservedResponse) => void
}

export interface App {
  /**
   * Never rejects, unless responses are checked and one is not as declared. `peerAddress` is the other end
   * of the connection.
   */
  fetch(request: Request, peerAddress: string): Promise<Response>
  /** The same for a cache in front, which reports what it serves by itself: `onResponse` is not told. */
  fill(request: Request, peerAddress: string): Promise<ObservedResponse>
}

const maxUrlLength = 8192
const noOrigins: ReadonlySet<string> = new Set()

/** Serves the operations: all that is said of one on the wire comes from its value. */
export function createApp(options: AppOptions): App {
  const router = createRouter(options)
  const { corsOrigins: origins = noOrigins } = options
  const byMeantMethod = methodOverride(options.endpoints)
  async function responseTo(request: Request, exchange: Exchange): Promise<Response> {
    try {
      return await router.fetch(request, exchange)
    } catch (thrown) {
      if (thrown instanceof ResponseFault) throw thrown
      const refusal = refuse(thrown, exchange, options.log)
      await options.responseCheck?.refusal(exchange.operation, refusal.clone())
      return refusal
    }
  }
  async function answered(sent: Request, peerAddress: string): Promise<ObservedResponse> {
    const start = performance.now()
    const request = byMeantMethod(sent)
    const exchange = openExchange(request, peerAddress, options)
    const response = await responseTo(request, exchange)
    const { operation, asset, bodyBytes, requestId, zone, credential, refusal } = exchange
    const found = { requestId, zone, credential, refusal }
    if (operation !== undefined && request.method !== 'OPTIONS')
      nameOrigin(response, { request, here: [operation], origins })
    const milliseconds = performance.now() - start
    const all = { operation, asset, found, request, response, peerAddress, milliseconds }
    return bodyBytes === undefined ? all : { ...all, bodyBytes }
  }
  return {
    async fetch(request, peerAddress) {
      const all = await answered(request, peerAddress)
      options.onResponse?.(all)
      return all.response
    },
    fill: (request, peerAddress) => answered(request, peerAddress),
  }
}

function createRouter(options: AppOptions) {
  const router = new Hono<{ Bindings: Exchange }>()
  for (const operation of bySpecificity(options.endpoints)) {
    const { method, path } = operation
    router.on(method.toUpperCase(), honoPattern(path), ({ env, req }) => {
      env.operation = operation
      const { headers } = operation.protocol ?? {}
      Object.assign(env.headers, crossOriginHeaders(operation, env.request), headers)
      const params = readParams(operation, req.param(), req.url)
      return serve(operation, { exchange: env, params }, options)
    })
  }
  const unrouted = createUnrouted(options)
  router.notFound(({ env, req }) => unrouted.fetch(req.raw, env))
  router.onError((error) => {
    throw error
  })
  return router
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

/** Answers whatever no operation takes: other methods of their paths, and all other paths. */
function createUnrouted(options: AppOptions) {
  const router = new Hono<{ Bindings: Exchange }>()
  const byPattern = Map.groupBy(bySpecificity(options.endpoints), ({ path }) => honoPattern(path))
  for (const pattern of byPattern.keys()) router.all(pattern, (_, next) => next())
  router.notFound((context) => {
    const there = matchedRoutes(context).flatMap(({ path }) => byPattern.get(path) ?? [])
    // Of several with one method the first would be asked.
    const here = methods.flatMap((method) => there.find((each) => each.method === method) ?? [])
    return respondUnrouted(context.env, here, options)
  })
  router.onError((error) => {
    throw error
  })
  return router
}

interface Routed {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
}

/** From the cheapest check to the dearest; a limit is charged only for what will be tried. */
async function serve(operation: Endpoint, routed: Routed, options: AppOptions) {
  const { exchange, params } = routed
  const { request, clientAddress: address } = exchange
  const { rateLimits, responseCheck, positions, underWay } = options
  using _underWay = underWay?.begin(operation.id)
  checkRequestLine(request)
  const authenticate = authenticateFor(operation, options)
  const credentials = await authenticate(request, address)
  exchange.zone = zoneNamedBy({ operation, params, url: request.url })
  exchange.credential = credentials[0]
  const { credential, seesMore, opened } = admit(operation, credentials, request)
  exchange.credential = credential
  if (credential?.kind === 'session' && credential.setCookie !== undefined)
    exchange.headers['Set-Cookie'] = credential.setCookie
  const call = {
    params: operation.params ? validate(operation.params, params, 'path') : params,
    query: operation.query && validate(operation.query, queryOf(request.url), 'query'),
    body: await readBody(operation.body, request),
    caller: { ...callerOf(exchange, credential), ...opened, seesMore },
    request,
    noteAsset: (path: string) => void (exchange.asset = path),
    respond,
  }
  const states = (operation.rateLimits ?? []).map((name) => rateLimits.charge(name, address))
  Object.assign(exchange.headers, rateLimitHeaders(...states))
  const reply = await handlePositioned(operation, call, { exchange, positions })
  if (responseCheck === undefined) return toResponse(reply, exchange)
  return toResponse(await responseCheck.reply(operation, reply), exchange)
}

/** What is open to all alike is so to whoever sends a wrong key, too. */
function authenticateFor(operation: Operation, options: AppOptions): Authenticate {
  const { guesses, findGrant, rateLimits } = options
  const { access, moreFor } = operation
  if (access === 'public' && moreFor === undefined) return options.authenticate
  const authenticate =
    guesses === undefined ? options.authenticate : slowGuesses(options.authenticate, guesses)
  if (findGrant === undefined || access === 'public' || access.grant !== true) return authenticate
  return authenticateGrants({ operation, authenticate, findGrant, rateLimits })
}

function checkRequestLine({ url, headers }: Request): void {
  if (headers.has('service-worker'))
    throw new ServiceError('Forbidden', 'a service worker cannot be taken from this interface', {
      target: 'Service-Worker',
    })
  const version = headers.get('x-api-version')
  if (version !== null && !supportedApiVersions.some((supported) => supported === version))
    throw new ServiceError(
      'UnsupportedApiVersion',
      `X-API-Version must be one of ${supportedApiVersions.join(', ')}`,
      { target: 'X-API-Version', context: { SupportedVersions: supportedApiVersions } },
    )
  if (url.length > maxUrlLength)
    throw new ServiceError(
      'UriTooLong',
      `the address must be at most ${maxUrlLength} characters long`,
      { context: { MaxLength: maxUrlLength } },
    )
}

function queryOf(url: string): Record<string, string> {
  const start = url.indexOf('?')
  return readQuery(new URLSearchParams(start === -1 ? '' : url.slice(start)))
}

function callerOf(exchange: Exchange, credential: Credential | undefined): Caller {
  const { request, requestId, trace } = exchange
  return {
    credentialId: credential?.id ?? 'anonymous',
    zones: undefined,
    ip: exchange.clientAddress,
    cameOverTls: exchange.cameOverTls,
    userAgent: request.headers.get('user-agent') ?? undefined,
    requestId,
    ...(trace && { trace }),
  }
}

function respondUnrouted(
  exchange: Exchange,
  here: readonly Endpoint[],
  { endpoints: all, corsOrigins: origins = noOrigins }: AppOptions,
): Response {
  const [first] = here
  exchange.operation = first
  Object.assign(exchange.headers, first?.protocol?.headers)
  const { method } = exchange.request
  if (first === undefined) {
    checkRequestLine(exchange.request)
    throw new ServiceError('NotFound', 'there is no such URL in this interface')
  }
  if (method === 'OPTIONS') {
    const plane = all.filter((operation) => operation.plane === first.plane)
    const asked = operationsInQuestion(exchange.request, here)
    const headers = {
      ...exchange.headers,
      ...preflightHeaders({ request: exchange.request, plane, here, asked }),
    }
    Object.assign(headers, ...here.map(({ discovery }) => discovery))
    const response = new Response(null, { status: 204, headers })
    nameOrigin(response, { request: exchange.request, here: asked, origins })
    return response
  }
  exchange.headers['Allow'] = allowedMethods(here).join(', ')
  throw new ServiceError('MethodNotAllowed', `${method} is not possible here`)
}

function openExchange(request: Request, peerAddress: string, options: AppOptions): Exchange {
  const { headers } = request
  const requestId = incomingRequestId(headers) ?? options.newId()
  const trace = parseTraceparent(headers.get('traceparent'))
  const continued = trace && { traceparent: continueTrace(trace, spanIdFrom(options.newId())) }
  return {
    request,
    requestId,
    trace,
    at: options.now(),
    clientAddress: clientAddress(headers, peerAddress, options.trustedProxies),
    cameOverTls: cameOverTls(request, peerAddress, options.trustedProxies),
    operation: undefined,
    asset: undefined,
    zone: '',
    credential: undefined,
    refusal: undefined,
    bodyBytes: undefined,
    headers: { ...commonHeaders(requestId), ...continued },
  }
}

/** The one place where what was thrown becomes a response. */
function refuse(thrown: unknown, exchange: Exchange, log: Log): Response {
  const error = hasLeft(thrown, exchange.request) ? brokenOff(thrown) : toServiceError(thrown)
  const { operation, requestId, at } = exchange
  exchange.refusal = error
  logRefusal(error, exchange, log)
  const response = errorResponse(error, {
    envelope: operation?.envelope ?? 'standard',
    protocol: operation?.protocol,
    requestId,
    at,
    headers: {
      ...exchange.headers,
      ...(operation && challenge(operation.access, error.code)),
    },
  })
  const shown = isRead(exchange)
    ? asPage(response, error, { url: exchange.request.url, requestId, isOwnHost: true })
    : response
  return exchange.request.method === 'HEAD' ? new Response(null, shown) : shown
}

/**
 * Whether a person reads the response: what is below `/api` is for programs, whoever they say they are, but for what
 * is looked for beside the page of the interface.
 */
function isRead({ request, operation }: Exchange): boolean {
  if (!wantsPage(request)) return false
  const { pathname } = new URL(request.url)
  if (!pathname.startsWith('/api/')) return true
  return operation === undefined && pathname.startsWith('/api/docs/')
}

/** A client that breaks off fails whatever was being done for it; nothing of ours has failed. */
const hasLeft = (thrown: unknown, { signal }: Request): boolean =>
  signal.aborted && (thrown === signal.reason || isAbort(thrown))

const isAbort = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === 'AbortError'

/** For the log and the counts: whoever asked does not hear it. */
const brokenOff = (cause: unknown) =>
  new ServiceError('InvalidParameter', 'the request must be complete; the client broke it off', {
    cause,
  })
