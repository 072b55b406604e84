import { ServiceError } from '../../domain/errors.ts'
import { crossSite } from './cross-site.ts'
import type { Access, Caller, KeyName, Operation, Reach } from '../operation.ts'

/** Something a request presented that was found to be genuine. */
export type Credential =
  | { readonly kind: 'key'; readonly id: string; readonly keys: ReadonlySet<KeyName> }
  | TokenCredential
  | SessionCredential
  | GrantCredential

export interface TokenCredential {
  readonly kind: 'token'
  readonly id: string
  readonly scopes: ReadonlySet<string>
  /** The tenants it is narrowed to; `undefined` for all. */
  readonly zones: ReadonlySet<string> | undefined
}

export interface SessionCredential {
  readonly kind: 'session'
  /** `session:` and its id, or `person:` and the person's. */
  readonly id: string
  readonly sessionId?: string
  /** Whose it is; an operator's, who may do everything, where left out. */
  readonly person?: PersonReach
  /** Whether another site's page has the browser send it, to change something; then it opens nothing. */
  readonly isCrossSite?: boolean
  /** For the answer, where the browser is to send another cookie from now on. */
  readonly setCookie?: string
}

export interface PersonReach {
  readonly id: string
  /** Where the person's roles open a scope. */
  readonly reach: (scope: string) => Reach
}

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

/** What a credential opens of an operation: nothing where it is `undefined`. */
type Opened = Pick<
  Caller,
  'zones' | 'scopes' | 'grantedPath' | 'personId' | 'sessionId' | 'sees' | 'previewsOnly'
>

/**
 * The first credential that opens the operation; for a public one the first there is, or `undefined`.
 * Throws `Unauthorized` where there is none at all, `Forbidden` or `InsufficientScope` where those
 * there are do not suffice.
 */
export function authorize(
  access: Access,
  credentials: readonly Credential[],
  request?: Request,
): Credential | undefined {
  if (access === 'public') return credentials[0]
  const sufficient = credentials.find((each) => openedBy(each, access, request) !== undefined)
  if (sufficient !== undefined) return sufficient
  throw refusalOf(access, credentials)
}

function refusalOf(access: Restricted, credentials: readonly Credential[]): ServiceError {
  if (credentials.length === 0)
    return new ServiceError('Unauthorized', `a valid credential is required: ${wanted(access)}`)
  if (access.scope !== undefined && credentials.some(({ kind }) => kind === 'token'))
    return new ServiceError('InsufficientScope', `the token must have the scope ${access.scope}`)
  const sessions = credentials.filter((each) => each.kind === 'session')
  if (sessions.some((each) => each.isCrossSite === true)) return crossSite()
  if (access.session === true && sessions.some(({ person }) => person !== undefined))
    return new ServiceError(
      'InsufficientScope',
      `none of your roles opens this; one with ${scopeOfPeople(access)} does`,
    )
  return new ServiceError(
    'Forbidden',
    `the credential is for other uses; required: ${wanted(access)}`,
  )
}

/** The same for an operation that shows more to some: a credential that opens more goes before others. */
export function admit(
  { access, moreFor }: Pick<Operation, 'access' | 'moreFor'>,
  credentials: readonly Credential[],
  request?: Request,
): Admitted {
  const more = moreFor && credentials.find((each) => openedBy(each, moreFor, request) !== undefined)
  const credential = more ?? authorize(access, credentials, request)
  const wide = more === undefined ? access : (moreFor ?? access)
  return { credential, seesMore: more !== undefined, opened: reachOf(credential, wide, request) }
}

interface Admitted {
  readonly credential: Credential | undefined
  readonly seesMore: boolean
  readonly opened: Opened
}

type Restricted = Exclude<Access, 'public'>

/** What a person sees of what is public is what the person sees anyway. */
const seeing = 'assets:read'

/** What a credential is narrowed to, where it is. */
function reachOf(
  credential: Credential | undefined,
  access: Access,
  request: Request | undefined,
): Opened {
  if (credential === undefined) return { zones: undefined }
  if (access !== 'public') return openedBy(credential, access, request) ?? { zones: noZones }
  if (credential.kind === 'session' && credential.person !== undefined)
    return ofPerson(credential.person.reach(seeing), credential)
  if (credential.kind === 'token') return { zones: credential.zones, scopes: credential.scopes }
  return { zones: credential.kind === 'grant' ? credential.zones : undefined }
}

function openedBy(
  credential: Credential,
  access: Restricted,
  request: Request | undefined,
): Opened | undefined {
  if (credential.kind === 'key')
    return access.keys.some((key) => credential.keys.has(key)) ? { zones: undefined } : undefined
  if (credential.kind === 'grant')
    return access.grant === true
      ? { zones: credential.zones, grantedPath: credential.path }
      : undefined
  if (credential.kind === 'token') return openedByToken(credential, access, request)
  if (access.session !== true || credential.isCrossSite === true) return undefined
  if (credential.person !== undefined) return openedByPerson(credential, access, request)
  return { zones: undefined, sessionId: sessionIdOf(credential) }
}

function openedByToken(
  { scopes, zones }: TokenCredential,
  access: Restricted,
  request: Request | undefined,
): Opened | undefined {
  if (enoughScopes(access, request).some((scope) => scopes.has(scope))) return { zones, scopes }
  const { ofPreviewScope } = access
  if (ofPreviewScope === undefined || !scopes.has(ofPreviewScope)) return undefined
  return { zones, scopes, previewsOnly: zones ?? 'everywhere' }
}

function openedByPerson(
  credential: SessionCredential,
  access: Restricted,
  request: Request | undefined,
): Opened | undefined {
  const { reach = () => noZones } = credential.person ?? {}
  const scopes = enoughScopes({ ...access, scope: scopeOfPeople(access) }, request)
  const whole = union(scopes.map(reach))
  const { ofPreviewScope } = access
  const previews = ofPreviewScope === undefined ? noZones : without(reach(ofPreviewScope), whole)
  const all = union([whole, previews])
  if (all !== 'everywhere' && all.size === 0 && access.isOwn !== true) return undefined
  const isConfined = previews === 'everywhere' || previews.size > 0
  return { ...ofPerson(all, credential), ...(isConfined && { previewsOnly: previews }) }
}

const noZones: ReadonlySet<string> = new Set()

const ofPerson = (reach: Reach, credential: SessionCredential): Opened => ({
  zones: reach === 'everywhere' ? undefined : reach,
  personId: credential.person?.id,
  sessionId: sessionIdOf(credential),
  sees: credential.person?.reach(seeing),
})

const sessionIdOf = ({ sessionId, id }: SessionCredential): string =>
  sessionId ?? id.slice('session:'.length)

/** What no token opens is for those who may manage people, unless it says otherwise. */
const scopeOfPeople = ({ scope, personScope }: Restricted): string =>
  scope ?? personScope ?? 'people:write'

function enoughScopes(
  { scope, orScopes = [], previewScope }: Restricted,
  request: Request | undefined,
): readonly string[] {
  if (scope === undefined) return []
  const isOfPreview = request !== undefined && previewScope?.isMeant(request) === true
  return [scope, ...orScopes, ...(isOfPreview && previewScope ? [previewScope.name] : [])]
}

function union(reaches: readonly Reach[]): Reach {
  const zones = new Set<string>()
  for (const reach of reaches) {
    if (reach === 'everywhere') return reach
    for (const zone of reach) zones.add(zone)
  }
  return zones
}

const without = (reach: Reach, other: Reach): Reach => {
  if (other === 'everywhere') return noZones
  if (reach === 'everywhere') return other.size === 0 ? reach : noZones
  return new Set([...reach].filter((zone) => !other.has(zone)))
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
export type BearerGrant = Omit<TokenCredential, 'kind'>

/** Recognises bearer tokens (RFC 6750 §2.1); `find` knows the genuine ones. */
export const bearerAuthenticator =
  (find: (secret: string) => BearerGrant | undefined): Authenticator =>
  ({ headers }) => {
    const field = headers.get('authorization')
    const secret = field === null ? undefined : /^bearer +(\S+) *$/iu.exec(field)?.[1]
    const grant = secret === undefined ? undefined : find(secret)
    return grant === undefined ? [] : [{ kind: 'token', ...grant }]
  }
