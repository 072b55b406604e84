/** A git process that failed. The message ends with what git said. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly exitCode: number
  readonly output: string

  constructor(what: string, { exitCode, output }: { exitCode: number; output: string }) {
    super(`git ${what} failed with exit code ${exitCode}: ${output.trim()}`)
    this.exitCode = exitCode
    this.output = output
  }
}

/**
 * What every git process gets and nothing else: no `GIT_*` of ours, no configuration of the machine
 * or the user, no prompts, and objects as they are, whatever `refs/replace/` says.
 */
export function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
}

/** The command line for a repository. Paths after `--` are taken literally, never as patterns. */
export const gitCommand = (directory: string, args: readonly string[]): string[] => [
  'git',
  `--git-dir=${directory}`,
  '--literal-pathspecs',
  ...args,
]

type Input = Blob | Uint8Array | ReadableStream<Uint8Array>

/** Runs git to its end and answers what it printed. Arguments must not come from callers of ours. */
export async function runGit(
  directory: string,
  args: readonly string[],
  input?: Input,
): Promise<Buffer> {
  const result = await tryGit(directory, args, input)
  if (result.exitCode !== 0)
    throw new GitError(args[0] ?? '', { exitCode: result.exitCode, output: result.errors })
  return result.output
}

/** As {@link runGit}, but a failure is a result. */
export async function tryGit(
  directory: string,
  args: readonly string[],
  input?: Input,
): Promise<{ readonly exitCode: number; readonly output: Buffer; readonly errors: string }> {
  const child = Bun.spawn(gitCommand(directory, args), {
    env: gitEnvironment(),
    stdin: input ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output: Buffer.from(output.buffer), errors }
}

/** Runs git and hands its output on as it comes. Stopping early ends the process. */
export async function* streamGit(
  directory: string,
  args: readonly string[],
  input?: Input,
): AsyncGenerator<Uint8Array, void, undefined> {
  const child = Bun.spawn(gitCommand(directory, args), {
    env: gitEnvironment(),
    stdin: input ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const errors = new Response(child.stderr).text()
  try {
    yield* child.stdout
    const exitCode = await child.exited
    if (exitCode !== 0) throw new GitError(args[0] ?? '', { exitCode, output: await errors })
  } finally {
    child.kill()
    await child.exited
  }
}
