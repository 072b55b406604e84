import { ServiceError } from '../../domain/errors.ts'
import { errorResponse } from '../../http/response/envelopes.ts'
import type { Log } from '../../lib/log.ts'
import { maxRequestBytes } from '../full-server.ts'
import type { Respond } from '../full-server.ts'
import { createTakeWhole } from './whole-bodies.ts'

/**
 * How a worker proxies a request to the main process: over a socket in a directory that only their user
 * can enter, with what the socket itself does not tell in this field. The field means something on
 * that socket alone, and a worker writes it over whatever a client sent.
 */
const proxiedField = 'x-sedge-proxied'

interface Proxied {
  readonly peerAddress: string
  /** Of the client's connection to the worker, which the main process can ask the kernel about, too. */
  readonly peerPort: number | undefined
  /** `http` or `https`, as the client came. */
  readonly scheme: string
  /** Fields that the client did not send, but Bun's client adds. */
  readonly absent: readonly string[]
}

const addedByClient = ['accept', 'accept-encoding', 'user-agent']
/** About the client's connection to the worker, not the worker's to the main process. */
const ownToConnection = ['connection', 'keep-alive', 'proxy-connection', 'upgrade']

interface ProxyOptions {
  readonly log: Pick<Log, 'warn'>
  readonly peerPortOf: (request: Request) => number | undefined
}

/** The worker's end. Bodies are streamed both ways; what the client breaks off is broken off there. */
export function createMainProxy(socket: string, { log, peerPortOf }: ProxyOptions): Respond {
  const takeWhole = createTakeWhole({ smallBytes: 2 ** 20, roomBytes: 128 * 2 ** 20 })
  return async (request, peerAddress, keepOpen) => {
    try {
      // The socket speaks plain HTTP whatever the client spoke.
      const response = await fetch(withScheme(request.url, 'http'), {
        method: request.method,
        headers: proxiedHeaders(request, { peerAddress, peerPort: peerPortOf(request) }),
        body: request.body,
        signal: request.signal,
        redirect: 'manual',
        decompress: false,
        timeout: false,
        unix: socket,
      } as RequestInit)
      if (response.headers.get('content-type')?.startsWith('text/event-stream') === true)
        keepOpen(request)
      return await takeWhole(response)
    } catch (cause) {
      if (!request.signal.aborted)
        log.warn('a request could not be proxied to the main process', { error: cause })
      return unavailable(cause)
    }
  }
}

function proxiedHeaders(
  request: Request,
  peer: Pick<Proxied, 'peerAddress' | 'peerPort'>,
): Headers {
  const headers = new Headers(request.headers)
  const scheme = request.url.slice(0, request.url.indexOf(':'))
  const absent = addedByClient.filter((name) => !headers.has(name))
  for (const name of ownToConnection) headers.delete(name)
  headers.set(proxiedField, JSON.stringify({ ...peer, scheme, absent } satisfies Proxied))
  return headers
}

const unavailable = (cause: unknown): Response =>
  errorResponse(new ServiceError('Unavailable', 'The main process does not answer', { cause }), {
    envelope: 'standard',
    requestId: crypto.randomUUID(),
    at: new Date(),
    headers: {},
  })

/**
 * The worker cuts off its client where one is silent for too long; nobody else comes here. Bun's types
 * know of no such setting for a Unix socket, Bun does, and would cut off after ten seconds.
 */
const neverIdle: object = { idleTimeout: 0 }

/** The main process's end of the same. Dispose of it after the last worker has ended. */
export function openProxyTarget(
  socket: string,
  respond: (
    request: Request,
    peerAddress: string,
    peerPort: number | undefined,
  ) => Response | Promise<Response>,
): Disposable {
  const server = Bun.serve({
    unix: socket,
    ...neverIdle,
    maxRequestBodySize: maxRequestBytes,
    development: false,
    fetch(request) {
      const { peerAddress, peerPort, scheme, absent } = JSON.parse(
        request.headers.get(proxiedField) ?? '{}',
      ) as Partial<Proxied>
      if (peerAddress === undefined) return new Response(null, { status: 400 })
      return respond(asSent(request, scheme ?? 'http', absent ?? []), peerAddress, peerPort)
    },
  })
  return { [Symbol.dispose]: () => void server.stop(true) }
}

/** The request as the client sent it to the worker. */
function asSent(request: Request, scheme: string, absent: readonly string[]): Request {
  const headers = new Headers(request.headers)
  for (const name of [proxiedField, ...absent]) headers.delete(name)
  return new Request(withScheme(request.url, scheme), {
    method: request.method,
    headers,
    body: request.body,
    signal: request.signal,
  })
}

const withScheme = (url: string, scheme: string): string => scheme + url.slice(url.indexOf(':'))
