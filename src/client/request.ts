import type { Route } from './operations.ts'
import type { CallOptions, Credentials } from './types.ts'

interface Described {
  readonly base: string
  readonly route: Route
  readonly input: Readonly<Record<string, unknown>>
  readonly credentials: Credentials
  readonly options: CallOptions
}

export interface RequestParts {
  readonly url: string
  readonly init: () => RequestInit
  /** Whether it can be sent twice. */
  readonly isRepeatable: boolean
}

/** The request that an operation's input makes. */
export function requestOf({ base, route, input, credentials, options }: Described): RequestParts {
  const { body, headers, ...parameters } = input
  const inPath = new Set<string>()
  const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    inPath.add(name)
    const value = String(parameters[name])
    return name === 'path' ? encodePath(value) : encodeSegment(value, name)
  })
  const query = Object.entries(parameters).filter(([name]) => !inPath.has(name))
  const isJson = route.body === 'json' && body !== undefined
  const allHeaders = {
    ...credentialOf(route, credentials),
    ...(isJson && { 'Content-Type': 'application/json' }),
    ...(headers as Readonly<Record<string, string>> | undefined),
    ...options.headers,
  }
  const sent = isJson ? JSON.stringify(body) : body
  return {
    url: `${base}${path}${queryText(query)}`,
    isRepeatable: !(sent instanceof ReadableStream),
    init: () => {
      const bytes = (typeof sent === 'function' ? sent() : sent) as BodyInit | undefined
      return {
        method: route.method,
        headers: allHeaders,
        ...(bytes !== undefined && { body: bytes }),
        // Without it a stream is refused (Fetch standard, `RequestInit.duplex`).
        ...(bytes instanceof ReadableStream && { duplex: 'half' }),
      }
    },
  }
}

const encodePath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment === '' ? '' : encodeSegment(segment, 'path')))
    .join('/')

/** What `fetch` would take for a way up, or for no segment at all, would ask something else. */
function encodeSegment(segment: string, name: string): string {
  if (segment === '' || segment === '.' || segment === '..')
    throw new TypeError(`${name} must not be empty, "." or ".."`)
  return encodeURIComponent(segment)
}

function queryText(parameters: readonly (readonly [string, unknown])[]): string {
  const given = parameters.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const carriers = {
  access: { header: 'AccessKey', credential: 'accessKey' },
  account: { header: 'AccountKey', credential: 'accountKey' },
  purge: { header: 'x-api-key', credential: 'purgeKey' },
  analytics: { header: 'x-api-key', credential: 'analyticsKey' },
} as const

/** The first key the operation takes and we have, else the token. */
function credentialOf({ keys = [], takesToken }: Route, credentials: Credentials) {
  for (const key of keys) {
    const { header, credential } = carriers[key]
    const value = credentials[credential]
    if (value !== undefined) return { [header]: value }
  }
  const { token } = credentials
  return takesToken === true && token !== undefined ? { Authorization: `Bearer ${token}` } : {}
}
