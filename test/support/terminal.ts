import { PassThrough, Writable } from 'node:stream'

import type { Terminal } from '../../src/cli/support/command.ts'
import { run } from '../../src/cli/main.ts'

interface Sitting {
  readonly environment?: Readonly<Record<string, string>>
  /** What is on standard input. */
  readonly input?: string
  /** Whether a person sits there. */
  readonly isTTY?: boolean
}

class Recorder extends Writable {
  text = ''
  readonly columns = 120
  readonly isTTY: boolean

  constructor(isTTY: boolean) {
    super()
    this.isTTY = isTTY
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

/** Runs a command to its end in this process; answers what it wrote. */
export async function runSedge(
  words: readonly string[],
  { environment = {}, input = '', isTTY = false }: Sitting = {},
) {
  const out = new Recorder(isTTY)
  const error = new Recorder(isTTY)
  const typed = Object.assign(new PassThrough(), { isTTY })
  typed.end(input)
  const exitCode = await run(words, {
    out,
    error,
    input: typed,
    environment,
  } as unknown as Terminal)
  return { out: out.text, error: error.text, exitCode }
}
