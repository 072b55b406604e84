import { gitEnvironment } from '../../src/adapters/git/objects/git-command.ts'

export const svgOf = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>${name}</title><path d="M${name.length} 4h1v9z"/></svg>`

interface Commit {
  readonly repository: string
  readonly branch: string
  /** Below the zone's directory. */
  readonly directory: string
  readonly count: number
}

/** One commit on a branch with so many new files of the zone `acme`, written by git itself. */
export async function importCommit({
  repository,
  branch,
  directory,
  count,
}: Commit): Promise<void> {
  const child = Bun.spawn(['git', `--git-dir=${repository}`, 'fast-import', '--quiet'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'ignore',
  })
  const ref = `refs/heads/${branch}`
  const { stdin } = child
  stdin.write(`commit ${ref}\ncommitter Ada <ada@example.org> ${seconds()} +0000\ndata 4\nmany\n`)
  stdin.write(`from ${ref}^0\n`)
  for (let index = 0; index < count; index += 1) {
    const text = svgOf(`${directory} ${index}`)
    stdin.write(`M 644 inline clients/acme/v1/${directory}/${index % 100}/icon-${index}.svg\n`)
    stdin.write(`data ${text.length}\n${text}\n`)
    if (index % 1000 === 0) await stdin.flush()
  }
  await stdin.end()
  if ((await child.exited) !== 0) throw new Error('git fast-import failed')
}

const seconds = (): number => Math.floor(Date.now() / 1000)
