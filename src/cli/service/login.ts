import { hostname, userInfo } from 'node:os'

import { createClient, SedgeError } from '../../client/client.ts'
import type { Input } from '../../client/types.ts'
import {
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { defaultUrl, originOf } from '../support/connection.ts'
import { parseWords, wholeNumber } from '../support/parse-words.ts'
import { type Profile, profilesPath, readProfiles, writeProfiles } from '../support/profiles.ts'
import { readSecretLine } from '../support/read-secret-line.ts'

const usage = `sedge login [<url>] [--profile <name>] [--days <1..365>] [--scope <scope> …] [--zone <zone> …]

Signs in to a service and keeps what opens it under a profile, which becomes the
current one. Asks for a token, an account key or an access key, and reads it from
standard input where that is no terminal; it is never given on the command line.

An account key is used once, to create a token, and is not kept. The token may do
everything the command line can, for 90 days, unless you say otherwise.

  --profile <name>   what to call it (default: the host name; "local" on this machine)
  --days <number>    how long the token is good
  --scope <scope>    what the token is for (may be given again)
  --zone <zone>      the zones it reaches (may be given again; default all)

Profiles are in $XDG_CONFIG_HOME/sedge/profiles.json (default ~/.config), which only you
can read. sedge logout revokes the token and forgets the profile.

Exit codes: 0 signed in, 1 failed, 2 wrong use, 3 not accepted, 5 no service answers.`

type TokenRequest = Input<'createToken'>['body']

/** What the commands do, and what a token that they create may be given. */
const everydayScopes: TokenRequest['scopes'] = [
  'storage:read',
  'storage:write',
  'assets:read',
  'insights:read',
  'analytics:read',
  'zones:read',
  'zones:write',
  'domains:write',
  'rules:read',
  'rules:write',
  'purge:write',
  'webhooks:read',
  'webhooks:write',
  'tokens:read',
  'tokens:write',
  'logs:read',
]

interface Wanted {
  readonly url: string
  readonly name: string
  readonly request: TokenRequest
}

export const loginCommand: Command = {
  name: 'login',
  summary: 'sign in to a service and keep it as a profile',
  usage,
  async run(args, terminal) {
    const wanted = parse(args, terminal.environment)
    const { environment, error, out } = terminal
    const profiles = await readProfiles(environment)
    // Whether it is there at all is said before anybody looks for a key.
    await createClient({ url: wanted.url, retries: 0 }).getHealth()
    if (isOpenToOthers(wanted.url))
      error.write(
        `Warning: ${wanted.url} is not encrypted; whoever listens on the way sees the key.\n`,
      )
    const secret = (await readSecretLine('Token, account key or access key: ', terminal)).trim()
    if (secret === '') throw new UsageError('Nothing was read')
    const profile = await signIn(secret, wanted)
    await writeProfiles(environment, {
      current: wanted.name,
      profiles: { ...profiles.profiles, [wanted.name]: profile },
    })
    out.write(`Signed in to ${wanted.url} with ${nameOf(profile)}.\n`)
    out.write(
      `It is profile "${wanted.name}" in ${profilesPath(environment)}, and the current one.\n`,
    )
    return exitCodes.ok
  },
}

function parse(args: readonly string[], environment: Terminal['environment']): Wanted {
  const { values, positionals } = parseWords(args, {
    profile: { type: 'string' },
    url: { type: 'string' },
    days: { type: 'string', default: '90' },
    scope: { type: 'string', multiple: true },
    zone: { type: 'string', multiple: true },
  })
  const [address, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('Name one URL. The key is asked for, never given here')
  const url = (address ?? values.url ?? defaultUrl(environment)).replace(/(?<!\/)\/+$/u, '')
  originOf(url)
  return {
    url,
    name: values.profile ?? defaultName(url),
    request: {
      name: `sedge login by ${userInfo().username} on ${hostname()}`.slice(0, 100),
      scopes: (values.scope ?? everydayScopes) as TokenRequest['scopes'],
      expiresInDays: wholeNumber(values.days, { name: 'days', min: 1, max: 365 }) ?? 90,
      ...(values.zone !== undefined && { zones: values.zone }),
    },
  }
}

const isLoopback = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname)

const defaultName = (url: string): string => (isLoopback(url) ? 'local' : new URL(url).hostname)

const isOpenToOthers = (url: string): boolean => url.startsWith('http:') && !isLoopback(url)

/** Finds out what the secret is, by whether it opens what that would open. */
async function signIn(secret: string, { url, request }: Wanted): Promise<Profile> {
  if (secret.startsWith('cdnsk_')) {
    if (!(await opens(() => createClient({ url, token: secret }).listZones())))
      throw notAccepted(url)
    return { url, token: secret }
  }
  const operator = createClient({ url, accountKey: secret })
  if (await opens(() => operator.listZones())) {
    const { Token: token } = await operator.createToken({ body: request })
    return { url, token: token.secret, tokenId: token.id, expiresAt: token.expiresAt }
  }
  if (await opens(() => createClient({ url, accessKey: secret }).listAssets({ per_page: 1 })))
    return { url, accessKey: secret }
  throw notAccepted(url)
}

/** A good credential that is not enough for this is good all the same. */
async function opens(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (!(error instanceof SedgeError)) throw error
    if (error.status === 401) return false
    if (error.status === 403) return true
    throw error
  }
}

const notAccepted = (url: string) =>
  new CommandError(
    `${url} does not know this token or key. "sedge keys" shows where the keys are kept`,
    exitCodes.denied,
  )

export const nameOf = ({ token, expiresAt }: Profile): string => {
  if (token === undefined) return 'an access key'
  return expiresAt === undefined
    ? 'a token'
    : `a token that is good until ${expiresAt.slice(0, 10)}`
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'revoke the token of a profile and forget it',
  usage: `sedge logout [--profile <name>]

Forgets the current or the named profile. A token that sedge login created is revoked.

Exit codes: 0 forgotten, 2 wrong use, 3 there is no such profile.`,
  async run(args, { environment, out, error }: Terminal) {
    const { values } = parseWords(args, { profile: { type: 'string' } })
    const { current, profiles } = await readProfiles(environment)
    const name = values.profile ?? current
    const { [name ?? '']: profile, ...others } = profiles
    if (name === undefined || profile === undefined)
      throw new CommandError(`There is no profile "${name ?? ''}" to sign out of`, exitCodes.denied)
    const failure = await revoke(profile)
    if (failure !== undefined) error.write(`Its token was not revoked: ${failure}\n`)
    const next = current === name ? undefined : current
    await writeProfiles(environment, {
      ...(next !== undefined && { current: next }),
      profiles: others,
    })
    out.write(`Signed out of ${profile.url}; profile "${name}" is gone.\n`)
    return exitCodes.ok
  },
}

/** Answers why not, where it could not be done. */
async function revoke({ url, token, tokenId }: Profile): Promise<string | undefined> {
  if (token === undefined || tokenId === undefined) return undefined
  try {
    await createClient({ url, token, retries: 0 }).revokeToken({ id: tokenId })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
