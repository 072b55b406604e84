/** Stock git with nobody's configuration; a password that is asked for is never typed. */
export async function git(
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number; readonly output: string; readonly errors: string }> {
  const child = Bun.spawn(['git', ...args], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output, errors }
}

/** The same; what fails fails the test, with what git said. */
export async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(directory, args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output
}

/** A line of git's protocols, with its length before it. */
export const packetLine = (text: string): string =>
  `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`
