import { ServiceError } from '../../domain/errors.ts'
import { crossSite } from './cross-site.ts'
import type { Access, Caller, KeyName, Operation } from '../operation.ts'

/** Something a request presented that was found to be genuine. */
export type Credential =
  | { readonly kind: 'key'; readonly id: string; readonly keys: ReadonlySet<KeyName> }
  | {
      readonly kind: 'token'
      readonly id: string
      readonly scopes: ReadonlySet<string>
      /** The tenants it is narrowed to; `undefined` for all. */
      readonly zones: ReadonlySet<string> | undefined
    }
  | {
      readonly kind: 'session'
      readonly id: string
      /** Whether another site's page has the browser send it, to change something; then it opens nothing. */
      readonly isCrossSite?: boolean
      /** For the answer, where the browser is to send another cookie from now on. */
      readonly setCookie?: string
    }
  | GrantCredential

/** An upload grant, which stands in the URL and opens what takes one. */
export interface GrantCredential {
  readonly kind: 'grant'
  readonly id: string
  readonly zones: ReadonlySet<string>
  /** What may be uploaded: a file, or all below a directory, which has a slash at its end. */
  readonly path: string
}

/** Finds the genuine credentials of one scheme. A wrong one is no error: it is just not among them. */
export type Authenticator = (
  request: Request,
) => readonly Credential[] | Promise<readonly Credential[]>

/** `clientAddress` is who asks. */
export type Authenticate = (
  request: Request,
  clientAddress: string,
) => Promise<readonly Credential[]>

export const authenticateWith =
  (authenticators: readonly Authenticator[]): Authenticate =>
  async (request) => {
    const found: Credential[] = []
    for (const authenticator of authenticators) found.push(...(await authenticator(request)))
    return found
  }

/**
 * The first credential that opens the operation; for a public one the first there is, or `undefined`.
 * Throws `Unauthorized` where there is none at all, `Forbidden` or `InsufficientScope` where those
 * there are do not suffice.
 */
export function authorize(
  access: Access,
  credentials: readonly Credential[],
): Credential | undefined {
  if (access === 'public') return credentials[0]
  const sufficient = credentials.find((credential) => isSufficient(access, credential))
  if (sufficient !== undefined) return sufficient
  if (credentials.length === 0)
    throw new ServiceError('Unauthorized', `a valid credential is required: ${wanted(access)}`)
  if (access.scope !== undefined && credentials.some(({ kind }) => kind === 'token'))
    throw new ServiceError('InsufficientScope', `the token must have the scope ${access.scope}`)
  if (credentials.some((each) => each.kind === 'session' && each.isCrossSite === true))
    throw crossSite()
  throw new ServiceError(
    'Forbidden',
    `the credential is for other uses; required: ${wanted(access)}`,
  )
}

/** The same for an operation that shows more to some: a credential that opens more goes before others. */
export function admit(
  { access, moreFor }: Pick<Operation, 'access' | 'moreFor'>,
  credentials: readonly Credential[],
): { readonly credential: Credential | undefined; readonly seesMore: boolean } {
  const more = moreFor && credentials.find((credential) => isSufficient(moreFor, credential))
  return { credential: more ?? authorize(access, credentials), seesMore: more !== undefined }
}

type Restricted = Exclude<Access, 'public'>

function isSufficient(access: Restricted, credential: Credential): boolean {
  if (credential.kind === 'key') return access.keys.some((key) => credential.keys.has(key))
  if (credential.kind === 'grant') return access.grant === true
  if (credential.kind === 'session')
    return access.session === true && credential.isCrossSite !== true
  return access.scope !== undefined && credential.scopes.has(access.scope)
}

/** What a credential is narrowed to, where it is. */
export function reachOf(
  credential: Credential | undefined,
): Pick<Caller, 'zones' | 'scopes' | 'grantedPath'> {
  if (credential?.kind === 'token') return { zones: credential.zones, scopes: credential.scopes }
  if (credential?.kind === 'grant') return { zones: credential.zones, grantedPath: credential.path }
  return { zones: undefined }
}

/** How each key is sent, and what a challenge calls it. */
export const keyCarriers: Readonly<
  Record<KeyName, { readonly header: string; readonly scheme: string; readonly what: string }>
> = {
  access: { header: 'AccessKey', scheme: 'AccessKey', what: 'the header AccessKey' },
  account: { header: 'AccountKey', scheme: 'AccountKey', what: 'the header AccountKey' },
  purge: { header: 'x-api-key', scheme: 'ApiKey', what: 'the purge key in the header x-api-key' },
  analytics: {
    header: 'x-api-key',
    scheme: 'ApiKey',
    what: 'the analytics key in the header x-api-key',
  },
}

function wanted({ keys, scope, session, grant }: Restricted): string {
  return [
    ...keys.map((key) => keyCarriers[key].what),
    ...(scope === undefined ? [] : [`a bearer token with the scope ${scope}`]),
    ...(session === true ? ['the session of a signed-in operator'] : []),
    ...(grant === true ? ['an upload grant that is still good in the URL'] : []),
  ].join(', or ')
}

const sessionChallenge = { 'WWW-Authenticate': 'Session realm="sedge"' }

/** `WWW-Authenticate` for a 401 (RFC 9110 §11.6.1) and for a 403 about a scope (RFC 6750 §3). */
export function challenge(access: Access, code: string): Readonly<Record<string, string>> {
  // What is public asks for a credential only where one signs in.
  if (access === 'public') return code === 'Unauthorized' ? sessionChallenge : {}
  const bearer = access.scope === undefined ? [] : [`Bearer realm="sedge", scope="${access.scope}"`]
  if (code === 'InsufficientScope')
    return { 'WWW-Authenticate': `${bearer.join('')}, error="insufficient_scope"` }
  if (code !== 'Unauthorized') return {}
  const schemes = new Set(access.keys.map((key) => `${keyCarriers[key].scheme} realm="sedge"`))
  const session = access.session === true ? ['Session realm="sedge"'] : []
  const grant = access.grant === true ? ['UploadGrant realm="sedge"'] : []
  return { 'WWW-Authenticate': [...schemes, ...bearer, ...session, ...grant].join(', ') }
}

/** What a genuine token opens, and the id it has in logs. */
export type BearerGrant = Omit<Extract<Credential, { kind: 'token' }>, 'kind'>

/** Recognises bearer tokens (RFC 6750 §2.1); `find` knows the genuine ones. */
export const bearerAuthenticator =
  (find: (secret: string) => BearerGrant | undefined): Authenticator =>
  ({ headers }) => {
    const field = headers.get('authorization')
    const secret = field === null ? undefined : /^bearer +(\S+) *$/iu.exec(field)?.[1]
    const grant = secret === undefined ? undefined : find(secret)
    return grant === undefined ? [] : [{ kind: 'token', ...grant }]
  }
