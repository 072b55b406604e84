import { gitEnvironment } from '../src/adapters/git/objects/git-command.ts'
import { randomBytes } from './git-peers.ts'

const directories = 100

export interface Files {
  /** Of the zone `acme`, below `v1`. */
  readonly directory: string
  readonly fileCount: number
  readonly fileBytes: number
}

/** Made by git itself, so that the service and its peer have the same. */
export async function createRepository(
  path: string,
  { directory, fileCount, fileBytes }: Files,
): Promise<void> {
  const child = Bun.spawn(['git', `--git-dir=${path}`, 'fast-import', '--quiet', '--force'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'ignore',
  })
  const now = Math.floor(Date.now() / 1000)
  child.stdin.write(
    `commit refs/heads/main\ncommitter Bench <bench@sedge.invalid> ${now} +0000\ndata 5\nbench\n`,
  )
  child.stdin.write('M 644 inline clients/acme/v1/logos/.keep\ndata 0\n\n')
  for (let index = 0; index < fileCount; index += 1) {
    const file = `clients/acme/v1/${directory}/${index % directories}/file-${index}.png`
    child.stdin.write(`M 644 inline ${file}\ndata ${fileBytes}\n`)
    child.stdin.write(randomBytes(fileBytes))
    child.stdin.write('\n')
  }
  await child.stdin.end()
  if ((await child.exited) !== 0) throw new Error('fast-import failed')
}

/** With a name of its own for whoever commits. */
export async function git(directory: string, ...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(['git', '-C', directory, ...args], {
    env: {
      ...gitEnvironment(),
      GIT_AUTHOR_NAME: 'Bench',
      GIT_AUTHOR_EMAIL: 'bench@sedge.invalid',
      GIT_COMMITTER_NAME: 'Bench',
      GIT_COMMITTER_EMAIL: 'bench@sedge.invalid',
    },
    stdout: 'ignore',
  })
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(' ')} failed`)
}
