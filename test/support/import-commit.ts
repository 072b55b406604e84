import { gitEnvironment } from '../../src/adapters/git/objects/git-command.ts'

export interface ImportedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly content: string | Uint8Array
}

interface ImportedCommit {
  /** Bare; `main` is led on, and begun where it is not there. */
  readonly repository: string
  readonly files: Iterable<ImportedFile>
}

const branch = 'refs/heads/main'

/** One commit that git itself makes, so that a service finds what it did not write. */
export async function importCommit({ repository, files }: ImportedCommit): Promise<void> {
  const parent = Bun.spawnSync([
    'git',
    `--git-dir=${repository}`,
    'rev-parse',
    '-q',
    '--verify',
    branch,
  ])
  const child = Bun.spawn(['git', `--git-dir=${repository}`, 'fast-import', '--quiet', '--force'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = new Response(child.stderr).text()
  const { stdin } = child
  const seconds = Math.floor(Date.now() / 1000)
  stdin.write(`commit ${branch}\ncommitter Ada <ada@example.org> ${seconds} +0000\ndata 5\nfiles\n`)
  if (parent.exitCode === 0) stdin.write(`from ${branch}^0\n`)
  let written = 0
  for (const { path, content } of files) {
    stdin.write(`M 644 inline ${path}\ndata ${Buffer.byteLength(content)}\n`)
    stdin.write(content)
    stdin.write('\n')
    written += 1
    if (written % 1000 === 0) await stdin.flush()
  }
  await stdin.end()
  if ((await child.exited) !== 0) throw new Error(await errors)
}
