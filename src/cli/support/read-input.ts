import { stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

import { CommandError, exitCodes, type Terminal, UsageError } from './command.ts'

/** No rule file may be as large. */
const maxBytes = 1_000_000

/** The text of a local file; of standard input where it is `-`. */
export async function readInput(path: string, { input }: Terminal): Promise<string> {
  if (path === '-') {
    if (input === undefined) throw new UsageError('There is nothing to read from')
    return await text(input)
  }
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true)
    throw new CommandError(`There is no file ${path}`, exitCodes.notFound)
  if (found.size > maxBytes) throw new CommandError(`${path} is larger than 1 MB`)
  return await Bun.file(path).text()
}
