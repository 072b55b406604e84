import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { CommandError, type Terminal } from './command.ts'
import type { Profile, Profiles } from './profiles-file.ts'

export type { Profile, Profiles }

type Environment = Terminal['environment']

export const profilesPath = ({ XDG_CONFIG_HOME: given, HOME: home }: Environment): string =>
  join(given || join(home || homedir(), '.config'), 'sedge', 'profiles.json')

export const profileNamed = (
  name: string | undefined,
  profiles: Profiles['profiles'],
): Profile | undefined =>
  name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** None where there is no file. A file that others can read is refused: whoever could read it has its keys. */
export async function readProfiles(environment: Environment): Promise<Profiles> {
  const path = profilesPath(environment)
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined) return { profiles: {} }
  if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0)
    throw new CommandError(`Others can read ${path}. Make it yours alone: chmod 600 '${path}'`)
  try {
    // Commands that find no profiles do not wait for what checks them.
    const { profilesFile } = await import('./profiles-file.ts')
    return profilesFile.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    throw new CommandError(
      `${path} is not as "sedge login" writes it. Mend it, or delete it and sign in`,
    )
  }
}

/** Replaces the file whole; only its owner can read it. */
export async function writeProfiles(environment: Environment, profiles: Profiles): Promise<void> {
  const path = profilesPath(environment)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
  await rename(temporary, path)
}
