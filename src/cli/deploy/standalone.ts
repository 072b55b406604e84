import type { Command } from '../support/command.ts'
import { exitCodes } from '../support/command.ts'
import { sayError } from '../support/say-error.ts'
import { deployCommand } from './deploy.ts'
import { previewCommand } from './preview.ts'

/** What jobs of continuous integration need of the command line, for Node alone. */
const commands: readonly Command[] = [deployCommand, previewCommand]

async function run([name = '', ...rest]: readonly string[]): Promise<number> {
  const { stdout: out, stderr: error, env: environment } = process
  const terminal = { out, error, environment }
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    error.write(`${commands.map(({ usage }) => usage).join('\n\n')}\n`)
    return exitCodes.usage
  }
  try {
    return await command.run(rest, terminal)
  } catch (fault) {
    return sayError(fault, command, terminal)
  }
}

process.exitCode = await run(process.argv.slice(2))
