import { keyCarriers } from './authorize.ts'
import type { Operation } from '../operation.ts'
import { grantIn } from './upload-grant.ts'

const maxAgeSeconds = 86_400

const commonRequestHeaders = [
  'Content-Type',
  'Content-Digest',
  'Checksum',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Range',
  'X-API-Version',
  'X-Request-ID',
  'traceparent',
]

const commonResponseHeaders = [
  'Cache-Status',
  'Checksum',
  'Content-Range',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-API-Version',
  'X-Request-ID',
  'X-Sedge-Position',
]

/** A browser sends the session by itself, so what takes it must not be readable from other sites. */
const acceptsSession = ({ access, changesSession }: Operation): boolean =>
  changesSession === true || (access !== 'public' && access.session === true)

/** Signing in, and what only the service's own pages do. */
const ownPagesOnly: ReadonlySet<string> = new Set(['passkeys', 'sessions'])

/**
 * Whether pages of origins that the operator names may call it, with a key or a token. Never with the
 * session: answers do not allow credentials, so a browser shows none of them to a page that sends it.
 */
const isForNamedOrigins = ({ plane, changesSession }: Operation): boolean =>
  changesSession !== true && !ownPagesOnly.has(plane)

/** What is added to an answer for the pages of named origins. */
export function nameOrigin(
  { headers }: Response,
  { request, here, origins }: OriginQuestion,
): void {
  const isConcerned = here.some(acceptsSession) && here.every(isForNamedOrigins)
  if (origins.size === 0 || !isConcerned) return
  // Caches keep the answer for one origin, and for none, apart.
  headers.append('Vary', 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null || !origins.has(origin)) return
  headers.set('Access-Control-Allow-Origin', origin)
  if (request.method !== 'OPTIONS')
    headers.set('Access-Control-Expose-Headers', exposedHeaders(here))
}

interface OriginQuestion {
  readonly request: Request
  /** The operation, or those that an `OPTIONS` request is about. */
  readonly here: readonly Operation[]
  readonly origins: ReadonlySet<string>
}

/** With an upload grant in the URL no session counts. */
const countsSession = (operation: Operation, { url }: Request): boolean =>
  acceptsSession(operation) && grantIn(operation, url) === undefined

export const crossOriginHeaders = (
  operation: Operation,
  request: Request,
): Readonly<Record<string, string>> =>
  countsSession(operation, request)
    ? {}
    : {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': exposedHeaders([operation]),
      }

function exposedHeaders(operations: readonly Operation[]): string {
  const own = operations.flatMap(({ responseHeaders = {} }) => Object.keys(responseHeaders))
  return [...new Set([...commonResponseHeaders, ...own])].toSorted().join(', ')
}

/** Of the operations at an address those that an `OPTIONS` request is about: all, where it names none. */
export function operationsInQuestion(
  { headers }: Request,
  here: readonly Operation[],
): readonly Operation[] {
  const method = headers.get('access-control-request-method')?.toLowerCase().replace('head', 'get')
  const asked = here.filter((operation) => operation.method === method)
  return asked.length === 0 ? here : asked
}

interface Preflight {
  readonly request: Request
  readonly plane: readonly Operation[]
  /** Those at the very address. */
  readonly here: readonly Operation[]
  /** Of those the ones that are asked about. */
  readonly asked: readonly Operation[]
}

/** For an `OPTIONS` request: what the plane takes. */
export function preflightHeaders({
  request,
  plane,
  here,
  asked,
}: Preflight): Readonly<Record<string, string>> {
  return {
    Allow: allowedMethods(here).join(', '),
    'Access-Control-Allow-Methods': allowedMethods(plane).join(', '),
    'Access-Control-Allow-Headers': requestHeaders(plane).join(', '),
    'Access-Control-Max-Age': String(maxAgeSeconds),
    ...(asked.some((each) => countsSession(each, request))
      ? {}
      : { 'Access-Control-Allow-Origin': '*' }),
  }
}

/** For `Allow`: a `GET` brings `HEAD`, and `OPTIONS` is always answered. */
export function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = new Set(operations.map(({ method }) => method.toUpperCase()))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods, 'OPTIONS'].toSorted()
}

function requestHeaders(operations: readonly Operation[]): string[] {
  const names = new Set(commonRequestHeaders)
  for (const { access, requestHeaders: own = {} } of operations) {
    for (const name of Object.keys(own)) names.add(name)
    if (access === 'public') continue
    for (const key of access.keys) names.add(keyCarriers[key].header)
    if (access.scope !== undefined) names.add('Authorization')
  }
  return [...names].toSorted()
}
