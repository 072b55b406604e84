import { flag, optional, secret, setting, wholeNumber } from './setting.ts'

const roleNames = ['viewer', 'editor', 'publisher', 'admin'] as const

/** What who is in a group may do, and where. */
interface GroupRole {
  /** `*` for whoever signs in. */
  readonly group: string
  readonly role: (typeof roleNames)[number]
  /** Every zone where `undefined`. */
  readonly zones: readonly string[] | undefined
}

/** Signing in at an identity provider. */
export const oidcSettings = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    '',
    'The issuer of an OpenID Connect provider that people sign in at, as its discovery document says it (`https://id.example.org/realms/main`); needs `BASE_URL`, and `<BASE_URL>/dashboard/oidc/callback` as a redirect URI there',
    optional(issuerUrl),
  ),
  oidcName: setting(
    'OIDC_NAME',
    '',
    'What the button to sign in calls the provider; its host name where left out',
    optional(shortText),
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    '',
    'What the provider knows the service as',
    optional(shortText),
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    'The secret of OIDC_CLIENT_ID; without one PKCE alone proves the client',
  ),
  oidcScope: setting(
    'OIDC_SCOPE',
    'openid email profile',
    'The scopes to ask the provider for; some have groups in one of their own',
    shortText,
  ),
  oidcGroupsClaim: setting(
    'OIDC_GROUPS_CLAIM',
    'groups',
    'Which claim has the groups of a person; dots lead into objects (`realm_access.roles`)',
    shortText,
  ),
  oidcRoles: setting(
    'OIDC_ROLES',
    '',
    'Which roles groups have, e.g. `ops=admin; web-team=publisher:acme,docs; *=viewer`; `*` is whoever signs in. Counted anew at each sign-in. Without it only who was invited by that e-mail address comes in',
    groupRoles,
  ),
  oidcEmailDomains: setting(
    'OIDC_EMAIL_DOMAINS',
    '',
    'Domains of e-mail addresses, separated by commas; nobody of others comes in through the provider',
    words,
  ),
  oidcTrustsEmail: flag(
    'OIDC_TRUST_EMAIL',
    'Believe e-mail addresses that the provider does not call verified, where nobody can choose their own there',
  ),
  oidcSessionHours: setting(
    'OIDC_SESSION_HOURS',
    '24',
    'After so many hours whoever came in through the provider has to again, so that who left it is out',
    wholeNumber(1, 168),
  ),
} as const

/** One sentence a fault. */
export function oidcFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const given = (name: string) => environment[name]?.trim() ?? ''
  if (given('OIDC_ISSUER') === '')
    return ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES', 'OIDC_EMAIL_DOMAINS']
      .filter((name) => given(name) !== '')
      .map((name) => `OIDC_ISSUER must be set where ${name} is`)
  return ['OIDC_CLIENT_ID', 'BASE_URL']
    .filter((name) => given(name) === '')
    .map((name) => `${name} must be set where OIDC_ISSUER is`)
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

function issuerUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === ''
  const isPrivate = url?.protocol === 'http:' && loopbackHosts.has(url.hostname)
  if (!isPlain || (url.protocol !== 'https:' && !isPrivate))
    throw new Error('must be an https URL such as https://id.example.org')
  return text
}

function shortText(text: string): string {
  if (text.length > 255 || /\p{Cc}/u.test(text)) throw new Error('must have at most 255 characters')
  return text
}

function words(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
}

function groupRoles(text: string): readonly GroupRole[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(groupRole)
}

function groupRole(text: string): GroupRole {
  const at = text.lastIndexOf('=')
  const [name = '', zones] = text.slice(at + 1).split(':')
  const role = roleNames.find((each) => each === name.trim())
  const group = text.slice(0, Math.max(at, 0)).trim()
  if (group === '' || role === undefined)
    throw new Error(`must be like group=role or group=role:zone,zone, with ${roleNames.join(', ')}`)
  return { group, role, zones: zones === undefined ? undefined : words(zones) }
}
