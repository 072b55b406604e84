import { keyCarriers } from './authorize.ts'
import type { Operation } from './operation.ts'

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

const exposedHeaders = [
  'Cache-Status',
  'Checksum',
  'Content-Range',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-API-Version',
  'X-Request-ID',
].join(', ')

/** A browser sends the session by itself, so what takes it must not be readable from other sites. */
const acceptsSession = ({ access, changesSession }: Operation): boolean =>
  changesSession === true || (access !== 'public' && access.session === true)

export const crossOriginHeaders = (operation: Operation): Readonly<Record<string, string>> =>
  acceptsSession(operation)
    ? {}
    : {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': exposedHeaders,
      }

/** For an `OPTIONS` request: what the plane takes. `here` are the operations at the very address. */
export function preflightHeaders(
  plane: readonly Operation[],
  here: readonly Operation[],
): Readonly<Record<string, string>> {
  return {
    Allow: allowedMethods(here).join(', '),
    'Access-Control-Allow-Methods': allowedMethods(plane).join(', '),
    'Access-Control-Allow-Headers': requestHeaders(plane).join(', '),
    'Access-Control-Max-Age': String(maxAgeSeconds),
    ...(here.some(acceptsSession) ? {} : { 'Access-Control-Allow-Origin': '*' }),
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
  for (const { access } of operations) {
    if (access === 'public') continue
    for (const key of access.keys) names.add(keyCarriers[key].header)
    if (access.scope !== undefined) names.add('Authorization')
  }
  return [...names].toSorted()
}
