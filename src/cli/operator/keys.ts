import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { dataDirectoryOf, keySettings, previousName } from '../../config/config.ts'
import { changeKeptKeys, generateKey, readKeptKeys } from '../../config/generated-keys.ts'
import { disabledPassword, hashPassword, isPasswordHash } from '../../lib/secrets/password-hash.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import {
  type Arguments,
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { readSecretLine } from '../support/read-secret-line.ts'

const usage = `sedge keys                          show where each key is kept
sedge keys show <NAME>              print one, e.g. DASHBOARD_PASSWORD
sedge keys rotate <NAME> …          replace keys; the former ones stay good
sedge keys retire <NAME> …          take former keys away
sedge keys set-password             set the password of the dashboard
sedge keys set-password --disable   sign in with passkeys only

Keys are in the environment or in keys.json in the data directory (DATA_DIR, default
./data). Only the latter can be changed here; the service takes changes over when it
is started again. For a key in the environment, set NAME to the new value and
NAME_PREVIOUS to the former one.

The password is read from the terminal, or from standard input where that is none,
and is kept as an Argon2id hash. Other keys are never asked for: new ones are random.

Exit codes: 0 done, 1 not done, 2 wrong use, 4 there is no such key yet.`

interface Place {
  readonly directory: string
  readonly path: string
  readonly terminal: Terminal
}

type Action = (names: readonly string[], place: Place) => Promise<number>

export const keysCommand: Command = {
  name: 'keys',
  summary: 'show, rotate and retire keys; set the password',
  usage,
  async run(args, terminal) {
    const { action, names, isDisabling } = parse(args)
    const directory = dataDirectoryOf(terminal.environment)
    const place = { directory, path: join(directory, 'keys.json'), terminal }
    if (action === 'set-password') return await setPassword(place, { isDisabling, names })
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (act === undefined) throw new UsageError(`There is no "sedge keys ${action}"`)
    return await act(names, place)
  },
}

function parse(args: Arguments) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { disable: { type: 'boolean', default: false } },
  })
  const [action = 'show', ...names] = positionals
  if (values.disable && action !== 'set-password')
    throw new UsageError('--disable goes with set-password')
  return { action, names, isDisabling: values.disable }
}

const all = Object.values(keySettings)
const passwordName = keySettings.dashboardPassword.name

const actions: Readonly<Record<string, Action>> = {
  async show(names, { directory, path, terminal }) {
    const kept = await readKeptKeys(directory)
    if (names.length > 0) return print(names, { kept, terminal })
    const isSet = (name: string) => givenIn(terminal, name) !== undefined
    for (const { name, description } of all) {
      const where = isSet(name) ? 'the environment' : kept.has(name) ? path : 'nowhere yet'
      const former = previousName(name)
      const isFormerGood = isSet(former) || (!isSet(name) && kept.has(former))
      const note = isFormerGood ? '; a former one is still good' : ''
      terminal.out.write(
        `${name.padEnd(20)} in ${where}${note}\n${' '.repeat(20)} ${description}\n`,
      )
    }
    terminal.out.write(`\nsedge keys show <NAME> prints one, e.g. ${passwordName}.\n`)
    return exitCodes.ok
  },

  async rotate(names, place) {
    const { directory, path, terminal } = place
    const kept = await readKeptKeys(directory)
    const changes = new Map<string, Secret>()
    for (const name of checked(names)) {
      const current = kept.get(name)
      requireFromFile(name, place)
      if (current === undefined) throw new UsageError(`${name} is not in ${path} yet`)
      if (kept.has(previousName(name)))
        throw new UsageError(
          `The key before ${name} is still good: once nobody uses it, sedge keys retire ${name}`,
        )
      changes.set(previousName(name), current).set(name, generateKey())
    }
    await changeKeptKeys(directory, changes)
    for (const name of names) terminal.out.write(`${name}=${changes.get(name)?.reveal()}\n`)
    terminal.out.write('Both are good once the service is started again.\n')
    return exitCodes.ok
  },

  async retire(names, { directory, terminal }) {
    const kept = await readKeptKeys(directory)
    const formers = checked(names).map(previousName)
    const absent = formers.filter((name) => !kept.has(name))
    if (absent.length > 0) throw new UsageError(`There is no ${absent.join(', ')} to take away`)
    await changeKeptKeys(directory, new Map(formers.map((name) => [name, undefined])))
    terminal.out.write('Gone once the service is started again.\n')
    return exitCodes.ok
  },
}

interface Shown {
  readonly kept: ReadonlyMap<string, Secret>
  readonly terminal: Terminal
}

/** The key alone, so that a shell can take it: `ACCESS_KEY=$(sedge keys show ACCESS_KEY)`. */
function print([name = '', ...others]: readonly string[], { kept, terminal }: Shown): number {
  if (others.length > 0) throw new UsageError('sedge keys show prints one key at a time')
  requireKnown(name)
  const key = givenIn(terminal, name) ?? kept.get(name)?.reveal()
  if (key === undefined)
    throw new CommandError(
      `There is no ${name} yet: the first start of the service makes it`,
      exitCodes.notFound,
    )
  if (isPasswordHash(key) || key === disabledPassword)
    throw new CommandError(
      'The password is kept as a hash or switched off: sedge keys set-password sets another',
    )
  terminal.out.write(`${key}\n`)
  return exitCodes.ok
}

function requireKnown(name: string): void {
  if (!all.some((setting) => setting.name === name)) throw new UsageError(`There is no key ${name}`)
}

/** What the environment sets; an empty variable counts as one that is not set. */
function givenIn({ environment }: Terminal, name: string): string | undefined {
  const given = environment[name]?.trim() ?? ''
  return given === '' ? undefined : given
}

/** Known names of keys that can be rotated, at least one. */
function checked(names: readonly string[]): readonly string[] {
  if (names.length === 0) throw new UsageError('Name at least one key')
  for (const name of names) {
    requireKnown(name)
    if (name === passwordName)
      throw new UsageError('The password is changed with sedge keys set-password')
  }
  return names
}

function requireFromFile(name: string, { terminal }: Place): void {
  if (givenIn(terminal, name) !== undefined)
    throw new UsageError(
      `${name} is in the environment: change it there, and set ${previousName(name)} to the former one`,
    )
}

interface NewPassword {
  readonly isDisabling: boolean
  readonly names: readonly string[]
}

const minPasswordLength = 12

async function setPassword(place: Place, setting: NewPassword): Promise<number> {
  const { directory, terminal } = place
  if (setting.names.length > 0)
    throw new UsageError('The password is read from the terminal, never from the command line')
  requireFromFile(passwordName, place)
  const text = setting.isDisabling ? disabledPassword : await newPasswordHash(terminal)
  await changeKeptKeys(directory, new Map([[passwordName, new Secret(text)]]))
  terminal.out.write(
    'It counts once the service is started again; sessions that the former one opened end then.\n',
  )
  return exitCodes.ok
}

async function newPasswordHash(terminal: Terminal): Promise<string> {
  const password = await readSecretLine('New password: ', terminal)
  if ([...new Intl.Segmenter().segment(password)].length < minPasswordLength)
    throw new UsageError(`The password must have at least ${minPasswordLength} characters`)
  return await hashPassword(password)
}
