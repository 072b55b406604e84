import { createInterface } from 'node:readline/promises'

import { CommandError, exitCodes, type Terminal } from './command.ts'

interface Question {
  /** What will happen, as a sentence. */
  readonly what: string
  /** What has to be typed. */
  readonly print: string
  /** Whether it was said beforehand (`--yes`). */
  readonly isSaid: boolean
}

/** Goes on only where the person means it; where nobody can be asked it has to have been said. */
export async function confirm(
  { what, print, isSaid }: Question,
  terminal: Terminal,
): Promise<void> {
  if (isSaid) return
  const { input, error } = terminal
  if (input?.isTTY !== true)
    throw new CommandError(`${what} Say --yes if that is meant`, exitCodes.usage)
  const lines = createInterface({ input, output: error })
  try {
    const typed = await lines.question(`${what} Type ${print} to go on: `)
    if (typed.trim() !== print) throw new CommandError('Nothing was changed')
  } finally {
    lines.close()
  }
}
