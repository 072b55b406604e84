import { createProgress, type Progress } from '../../lib/progress.ts'

/** A command's own words, already without the program's and the command's names. */
export type Arguments = readonly string[]

export interface Terminal {
  readonly out: NodeJS.WriteStream
  readonly error: NodeJS.WriteStream
  /** Where there is something to read from. */
  readonly input?: NodeJS.ReadStream
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface Command {
  readonly name: string
  /** Other names it is called by. */
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Not for people; no overview names it. */
  readonly isInternal?: true
  /** The whole of `sedge help <name>`. */
  readonly usage: string
  /** Answers the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>
}

/** What every command may end with. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** The credentials are missing, wrong, or not enough. */
  denied: 3,
  notFound: 4,
  /** No service answers, or it is too busy to. */
  unreachable: 5,
  /** Others have changed the same meanwhile; nothing was done. */
  conflict: 6,
} as const

/** The words of a command do not make sense; the message says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was asked for cannot be done; the message is for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

interface Described {
  readonly label: string
  readonly total: number
  readonly unit: string
  readonly amount?: (value: number) => string
}

/** A bar for whoever sits at the terminal; nothing elsewhere, so that logs and pipes stay clean. */
export const terminalProgress = (described: Described, { error }: Terminal): Progress =>
  error.isTTY && described.total > 0
    ? createProgress({ ...described, output: error, monotonicMs: () => performance.now() })
    : { advance: () => {}, skip: () => {}, finish: () => {} }
