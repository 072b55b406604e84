import { setPriority } from 'node:os'

import { UnfitPackError } from '../../../ports/pushes/push-receiver.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'

/** What a git process may use that reads what strangers sent. */
export interface ProcessLimits {
  readonly maxFileBytes: number
  readonly maxMemoryBytes: number
  readonly maxCpuSeconds: number
  readonly longestMs: number
}

interface Work {
  readonly directory: string
  readonly args: readonly string[]
  readonly input?: Bun.BunFile | Uint8Array
  readonly signal: AbortSignal
  readonly limits: ProcessLimits
}

export interface LimitedResult {
  readonly exitCode: number
  readonly output: Buffer
  /** Of what it said, the end. */
  readonly errors: string
}

/** Whoever writes or asks for assets goes before whoever pushes. */
const lowPriority = 10
const keptErrorBytes = 2_000
const kilobyte = 1024
/** POSIX counts the sizes of files in these. */
const blockBytes = 512

/**
 * Runs git on objects of which nothing is known: a few bytes of a pack can stand for gigabytes in memory
 * or on disk, and for hours of work. Fails with {@link UnfitPackError} where it had to be ended.
 */
export async function runLimited({ directory, args, input, signal, limits }: Work) {
  const child = Bun.spawn(withLimits(gitCommand(directory, args), limits), {
    env: gitEnvironment(),
    stdin: input ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
    timeout: limits.longestMs,
    killSignal: 'SIGKILL',
  })
  lower(child.pid)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  signal.throwIfAborted()
  if (child.signalCode !== null) throw new UnfitPackError('it takes too long to be looked at')
  return { exitCode, output: Buffer.from(output.buffer), errors: errors.slice(-keptErrorBytes) }
}

/** With the signal ignored git says that a file is too large, instead of dying of it. */
const withLimits = (command: readonly string[], limits: ProcessLimits): string[] => [
  'sh',
  '-c',
  `trap '' XFSZ; ulimit -f "$0"; ulimit -d "$1" 2>/dev/null; ulimit -t "$2"; shift 2; exec "$@"`,
  String(Math.ceil(limits.maxFileBytes / blockBytes)),
  String(Math.ceil(limits.maxMemoryBytes / kilobyte)),
  String(limits.maxCpuSeconds),
  ...command,
]

function lower(processId: number): void {
  try {
    setPriority(processId, lowPriority)
  } catch {
    // It has ended already.
  }
}
