import { text } from 'node:stream/consumers'

import type { Terminal } from './command.ts'
import { UsageError } from './command.ts'

/** One line of standard input; at a terminal it is asked for, and not shown while it is typed. */
export async function readSecretLine(prompt: string, { input, error }: Terminal): Promise<string> {
  if (input === undefined) throw new UsageError('There is nothing to read from')
  if (!input.isTTY) return firstLine(await text(input))
  error.write(prompt)
  input.setRawMode(true)
  try {
    return await readTyped(input)
  } finally {
    input.setRawMode(false)
    input.pause()
    error.write('\n')
  }
}

const firstLine = (lines: string): string => lines.split(/\r?\n/u, 1)[0] ?? ''

const keys = { end: '\u0004', interrupt: '\u0003', backspace: '\u007f' } as const

async function readTyped(input: NodeJS.ReadStream): Promise<string> {
  let typed = ''
  for await (const chunk of input)
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n' || character === keys.end) return typed
      if (character === keys.interrupt) throw new UsageError('Nothing was changed')
      typed = character === keys.backspace ? typed.slice(0, -1) : typed + character
    }
  return typed
}
