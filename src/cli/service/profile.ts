import {
  type Command,
  CommandError,
  exitCodes,
  type Terminal,
  UsageError,
} from '../support/command.ts'
import { nameOf } from './login.ts'
import { namedAction, parseWords } from '../support/parse-words.ts'
import { profileNamed, readProfiles, writeProfiles } from '../support/profiles.ts'
import { table } from '../support/table.ts'

type Action = (names: readonly string[], terminal: Terminal, isJson: boolean) => Promise<void>

export const profileCommand: Command = {
  name: 'profile',
  aliases: ['profiles'],
  summary: 'show the services you are signed in to, and choose one',
  usage: `sedge profile [list]       show the profiles; the current one has a star
sedge profile use <name>   make a profile the current one

  --json             print JSON

Keys are never shown. sedge login makes a profile, sedge logout removes it.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 there is no such profile.`,
  async run(args, terminal) {
    const { values, positionals } = parseWords(args, { json: { type: 'boolean', default: false } })
    const [name, ...names] = positionals
    await namedAction(name, actions, 'list')(names, terminal, values.json)
    return exitCodes.ok
  },
}

const actions: Readonly<Record<string, Action>> = {
  async list(_names, { environment, out }, isJson) {
    const { current, profiles } = await readProfiles(environment)
    const listed = Object.entries(profiles).map(([name, profile]) => ({
      name,
      current: name === current,
      url: profile.url,
      with: nameOf(profile),
    }))
    if (isJson) out.write(`${JSON.stringify(listed, undefined, 2)}\n`)
    else if (listed.length === 0) out.write('You are signed in nowhere: sedge login <url>\n')
    else
      out.write(
        table(
          ['', 'NAME', 'SERVICE', 'WITH'],
          listed.map((each) => [each.current ? '*' : '', each.name, each.url, each.with]),
        ),
      )
  },

  async use([name, ...rest], { environment, out }) {
    if (name === undefined || rest.length > 0) throw new UsageError('Name one profile')
    const { profiles } = await readProfiles(environment)
    const profile = profileNamed(name, profiles)
    if (profile === undefined)
      throw new CommandError(
        `There is no profile "${name}"; sedge profile lists them`,
        exitCodes.denied,
      )
    await writeProfiles(environment, { current: name, profiles })
    out.write(`"${name}" (${profile.url}) is the current profile\n`)
  },
}
