#!/usr/bin/env bun
import { nearestWord } from '../lib/text/edit-distance.ts'
import { type Command, exitCodes, type Terminal } from './support/command.ts'
import { allCommands, everydayCommands, operatorCommands } from './commands.ts'
import { programVersion } from './support/program-version.ts'
import { sayError } from './support/say-error.ts'

/** Runs the command that the words name; answers the exit code. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = words
  if (/^(?:version|--version|-v)$/u.test(name)) return await sayVersion(terminal)
  if (/^(?:help|--help|-h)$/u.test(name)) return help(rest[0], terminal)
  const command = find(name)
  if (!command) return sayUnknown(name, terminal)
  if (asksForHelp(rest)) return help(name, terminal)
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    return sayError(error, command, terminal)
  }
}

async function sayVersion({ out }: Terminal): Promise<number> {
  out.write(`sedge ${await programVersion()}\n`)
  return exitCodes.ok
}

const find = (name: string): Command | undefined =>
  allCommands().find((each) => each.name === name || each.aliases?.includes(name) === true)

/** What comes after `--` are names of files, whatever they look like. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const options = end === -1 ? words : words.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

function help(name: string | undefined, terminal: Terminal): number {
  const command = name === undefined ? undefined : find(name)
  if (name !== undefined && command === undefined) return sayUnknown(name, terminal)
  terminal.out.write(`${command?.usage ?? overview()}\n`)
  return exitCodes.ok
}

function sayUnknown(name: string, { error }: Terminal): number {
  const names = allCommands().flatMap((each) => (each.isInternal === true ? [] : each.name))
  const meant = nearestWord(name, names)
  const hint = meant === undefined ? overview() : `Did you mean sedge ${meant}?`
  error.write(`There is no command "${name}".\n${meant === undefined ? '\n' : ''}${hint}\n`)
  return exitCodes.usage
}

const overview = (): string =>
  [
    'sedge <command>',
    '',
    'Everyday work with a service, here or elsewhere:',
    ...linesOf(everydayCommands),
    '',
    'The service on this machine:',
    ...linesOf(operatorCommands),
    '',
    'sedge help <command> tells more, sedge --version which this is.',
  ].join('\n')

const linesOf = (commands: readonly Command[]): string[] =>
  commands
    .filter(({ isInternal }) => isInternal !== true)
    .map(({ name, summary }) => `  ${name.padEnd(11)} ${summary}`)

/** The command that this process was started for. */
export async function runHere(): Promise<void> {
  // Whoever read the output (`| head`) has enough of it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.kill(process.pid, 'SIGTERM')
  })
  process.exitCode = await run(process.argv.slice(2), {
    out: process.stdout,
    error: process.stderr,
    input: process.stdin,
    environment: process.env,
  })
}

if (import.meta.main) await runHere()
