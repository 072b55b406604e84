import type { Secret } from '../../../../lib/secrets/secret.ts'
import type { LfsAction } from './batch-protocol.ts'
import { NoLargeFilesError } from './large-file-host.ts'

/** Where the LFS API of a remote is, and what opens it. */
export interface LfsEndpoint {
  /** `objects/batch` is below it. */
  readonly url: URL
  /** For its own host alone. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether nobody on the way to the remote can read anything: so it has to stay. */
  readonly isSecure: boolean
}

const defaultUserName = 'x-access-token'

/** As git-lfs finds it: beside what git itself asks for. */
export function lfsUrlOf(repositoryUrl: string): URL {
  const url = new URL(repositoryUrl)
  url.username = ''
  url.search = ''
  url.hash = ''
  const path = url.pathname.replace(/(?<!\/)\/+$/u, '')
  url.pathname = `${path.endsWith('.git') ? path : `${path}.git`}/info/lfs`
  return url
}

/** Of a remote that git reaches by http or https. */
export function httpEndpoint(repositoryUrl: string, token: Secret | undefined): LfsEndpoint {
  const url = lfsUrlOf(repositoryUrl)
  const user = decodeURIComponent(new URL(repositoryUrl).username) || defaultUserName
  const key = token && Buffer.from(`${user}:${token.reveal()}`).toString('base64')
  const headers: Readonly<Record<string, string>> = key ? { Authorization: `Basic ${key}` } : {}
  return { url, headers, isSecure: url.protocol === 'https:' }
}

/** Our credentials are for the host of the LFS API alone, and a secure remote leads to secure ones. */
export function allowedAction(
  endpoint: LfsEndpoint,
  { url, headers }: LfsAction,
  isAuthenticated: boolean,
): LfsAction {
  if (endpoint.isSecure && url.protocol !== 'https:')
    throw new NoLargeFilesError('the remote is reached by https or SSH and sends us to plain http')
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const isForUs = url.origin === endpoint.url.origin && !isAuthenticated && !hasOwn
  return { url, headers: isForUs ? { ...headers, ...endpoint.headers } : headers }
}
