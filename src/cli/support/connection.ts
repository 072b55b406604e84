import { join } from 'node:path'

import type { Credentials } from '../../client/types.ts'
import { dataDirectoryOf } from '../../config/config.ts'
import { CommandError, exitCodes, type Terminal, UsageError } from './command.ts'
import { type Profile, profileNamed, type Profiles, readProfiles } from './profiles.ts'

/** The service on this machine: where it listens unless `PORT` says otherwise. */
export function defaultUrl(environment: Environment): string {
  const port = set(environment['PORT']) ?? '0'
  return `http://127.0.0.1:${/^\d{1,5}$/u.test(port) && port !== '0' ? port : '8788'}`
}

type Environment = Terminal['environment']

/** A service, and what opens it. */
export interface Connection extends Credentials {
  readonly url: string
  readonly signingSecret?: string | undefined
}

interface Asked {
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/**
 * Which service is meant: the named profile's, else the named URL, else the current profile's, else
 * the one on this machine. A profile's credentials go to its own service and nowhere else.
 */
export async function connectionOf(asked: Asked, environment: Environment): Promise<Connection> {
  const { profiles, current } = await readProfiles(environment)
  const name = asked.profile ?? set(environment['SEDGE_PROFILE'])
  const url = asked.url ?? set(environment['SEDGE_URL'])
  if (name !== undefined) {
    const named = requireProfile(name, profiles, url)
    return { ...(await signing(named.url, environment)), ...credentialsOf(named) }
  }
  if (url === undefined) {
    const profile = profileNamed(current, profiles)
    return await connectionTo(profile?.url ?? defaultUrl(environment), environment, profile)
  }
  const origin = originOf(url)
  const known = Object.values(profiles).find((profile) => originOf(profile.url) === origin)
  return await connectionTo(url, environment, known)
}

function requireProfile(
  name: string,
  profiles: Profiles['profiles'],
  url: string | undefined,
): Profile {
  const named = profileNamed(name, profiles)
  if (named === undefined) throw noProfile(name, Object.keys(profiles))
  if (url !== undefined && originOf(url) !== originOf(named.url))
    throw new UsageError(`Profile "${name}" is for ${named.url}, not for ${url}`)
  return named
}

/** A token in the environment, else a profile, else the operator's keys. */
async function connectionTo(
  url: string,
  environment: Environment,
  profile: Profile | undefined,
): Promise<Connection> {
  originOf(url)
  const token = set(environment['SEDGE_TOKEN'])
  if (token !== undefined) return { ...(await signing(url, environment)), token }
  if (profile !== undefined)
    return { ...(await signing(url, environment)), ...credentialsOf(profile) }
  const keyOf = await operatorKeys(url, environment)
  return {
    url,
    accessKey: keyOf('ACCESS_KEY'),
    accountKey: keyOf('ACCOUNT_KEY'),
    purgeKey: keyOf('PURGE_KEY'),
    analyticsKey: keyOf('ANALYTICS_KEY'),
    signingSecret: keyOf('SIGNED_URL_SECRET'),
  }
}

async function signing(url: string, environment: Environment): Promise<Connection> {
  const keyOf = await operatorKeys(url, environment)
  return { url, signingSecret: keyOf('SIGNED_URL_SECRET') }
}

const credentialsOf = ({ token, accessKey }: Profile): Credentials => ({ token, accessKey })

/**
 * From the environment, else from the data directory of a service on this machine. The keys of the
 * directory that happens to be here are not for services elsewhere; those of one that is named are.
 */
async function operatorKeys(url: string, environment: Environment) {
  const isNamed = set(environment['DATA_DIR']) !== undefined
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(url).hostname)
  const kept =
    isNamed || isHere ? await readKeys(join(dataDirectoryOf(environment), 'keys.json')) : {}
  return (name: string): string | undefined => set(environment[name]) ?? kept[name]
}

async function readKeys(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    return (await Bun.file(path).json()) as Record<string, string>
  } catch {
    return {}
  }
}

/** Throws {@link UsageError} where it is no web URL. */
export function originOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/u.test(parsed.protocol))
    throw new UsageError(`"${url}" is not a URL like https://assets.example`)
  return parsed.origin
}

function noProfile(name: string, known: readonly string[]): CommandError {
  const others = known.length === 0 ? 'There is none yet' : `There is ${known.join(', ')}`
  return new CommandError(
    `There is no profile "${name}". ${others}; sedge login makes one`,
    exitCodes.denied,
  )
}

/** An empty one counts as not set, as it does for the service. */
const set = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim()
