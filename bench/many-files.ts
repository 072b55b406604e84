import { gitEnvironment } from '../src/adapters/git/objects/git-command.ts'
import { type ImportedFile, importCommit } from '../test/support/import-commit.ts'
import { randomBytes } from './git-peers.ts'

const directories = 100

export interface Files {
  /** Of the zone `acme`, below `v1`. */
  readonly directory: string
  readonly fileCount: number
  readonly fileBytes: number
}

/** Made by git itself, so that the service and its peer have the same. */
export async function createRepository(repository: string, wanted: Files): Promise<void> {
  await importCommit({ repository, files: filesOf(wanted) })
}

function* filesOf({ directory, fileCount, fileBytes }: Files): Generator<ImportedFile> {
  yield { path: 'clients/acme/v1/logos/.keep', content: '' }
  for (let index = 0; index < fileCount; index += 1) {
    const path = `clients/acme/v1/${directory}/${index % directories}/file-${index}.png`
    yield { path, content: randomBytes(fileBytes) }
  }
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
