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
  readonly summary: string
  /** Not for people; no overview names it. */
  readonly isInternal?: true
  /** The whole of `sedge help <name>`. */
  readonly usage: string
  /** Answers the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>
}

/** What every command may end with; more are the command's own. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const

/** The words of a command do not make sense; the message says which. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
