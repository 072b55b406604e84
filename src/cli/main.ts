#!/usr/bin/env bun
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { edgeWorkerCommand } from './edge-worker.ts'
import { edgeCommand } from './edge.ts'
import { importCommand } from './import.ts'
import { findKeys } from './find-keys.ts'
import { keysCommand } from './keys.ts'
import { rebuildCommand } from './rebuild.ts'
import { serveCommand } from './serve.ts'
import { ServiceCallError } from './service-client.ts'
import { tokenCommand } from './token.ts'

const commands: readonly Command[] = [
  serveCommand,
  importCommand({ findKeys }),
  doctorCommand,
  rebuildCommand,
  keysCommand,
  tokenCommand,
  edgeCommand,
  edgeWorkerCommand,
]

/** Runs the command that the words name; answers the exit code. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = words
  const wantsHelp = name === 'help' || name === '--help' || name === '-h'
  if (wantsHelp) return help(rest[0], terminal)
  const command = commands.find((each) => each.name === name)
  if (!command) {
    terminal.error.write(`There is no command "${name}".\n\n${overview()}\n`)
    return exitCodes.usage
  }
  if (rest.includes('--help') || rest.includes('-h')) return help(name, terminal)
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    return fail(error, command, terminal)
  }
}

function help(name: string | undefined, { out }: Terminal): number {
  const command = commands.find((each) => each.name === name)
  out.write(`${command?.usage ?? overview()}\n`)
  return exitCodes.ok
}

const overview = (): string =>
  [
    'sedge <command>',
    '',
    ...commands
      .filter(({ isInternal }) => isInternal !== true)
      .map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'sedge help <command> tells more.',
  ].join('\n')

/** A person's mistake is answered with how to do it right; a fault of ours with its trace. */
function fail(error: unknown, command: Command, terminal: Terminal): number {
  if (isUsageError(error)) {
    terminal.error.write(`${error.message}\n\n${command.usage}\n`)
    return exitCodes.usage
  }
  if (error instanceof ServiceCallError) terminal.error.write(`${error.message}\n`)
  else
    terminal.error.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  return exitCodes.failed
}

/** Ours, and those of the parser of options. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS'))

if (import.meta.main)
  process.exitCode = await run(process.argv.slice(2), {
    out: process.stdout,
    error: process.stderr,
    input: process.stdin,
    environment: process.env,
  })
