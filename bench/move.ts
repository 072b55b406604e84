/**
 * A directory of 10,000 files gets another name: through the whole service (HTTP, commit, catalogue, feed,
 * audit, all durable), against `git mv` and `git commit` of the same directory in a work tree.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, startService } from '../test/support/service-process.ts'
import { gitEnvironment } from '../src/adapters/git/objects/git-command.ts'
import { randomBytes } from './git-peers.ts'
import { compare, median, report } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const fileCount = Number(process.env['FILES'] ?? 10_000)
const fileBytes = 4096
const directories = 100

const nameOf = (round: number) => `library-${round}`

/** Made by git itself, so that the service and its peer have the same. */
async function createRepository(path: string): Promise<void> {
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
    const file = `clients/acme/v1/${nameOf(0)}/${index % directories}/file-${index}.png`
    child.stdin.write(`M 644 inline ${file}\ndata ${fileBytes}\n`)
    child.stdin.write(randomBytes(fileBytes))
    child.stdin.write('\n')
  }
  await child.stdin.end()
  if ((await child.exited) !== 0) throw new Error('fast-import failed')
}

async function git(directory: string, ...args: readonly string[]): Promise<void> {
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

async function main(directory: string): Promise<void> {
  const dataDirectory = join(directory, 'data')
  const repository = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory })).stop()
  await createRepository(repository)
  const bare = join(directory, 'peer.git')
  await cp(repository, bare, { recursive: true })
  const workTree = join(directory, 'peer')
  await mkdir(workTree)
  await git(directory, 'clone', '--quiet', '--branch', 'main', bare, workTree)
  await using service = await startService({ dataDirectory })

  async function move(round: number): Promise<number> {
    const body = { From: `acme/v1/${nameOf(round)}`, To: `acme/v1/${nameOf(round + 1)}` }
    const start = performance.now()
    const response = await fetch(`${service.url}/api/storage/move`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const told = (await response.json()) as { readonly Files?: number }
    const ms = performance.now() - start
    if (told.Files !== fileCount) throw new Error(`it said ${JSON.stringify(told)}`)
    return ms
  }

  async function moveByGit(round: number): Promise<number> {
    const start = performance.now()
    const flush = ['-c', 'core.fsync=all']
    await git(workTree, 'mv', ...[round, round + 1].map((at) => `clients/acme/v1/${nameOf(at)}`))
    await git(workTree, ...flush, 'commit', '--quiet', '-m', 'move')
    return performance.now() - start
  }

  const times: number[] = []
  const before = await bytesOf(dataDirectory)
  const ratios = await compare({
    title: `move of a directory of ${fileCount} files (ms)`,
    ours: {
      name: 'sedge, all of it',
      async run(round) {
        const ms = await move(round)
        times.push(ms)
        return ms
      },
    },
    peers: [{ name: 'git mv, git commit', run: moveByGit }],
    rounds,
  })
  const growth = ((await bytesOf(dataDirectory)) - before) / rounds
  const stored = fileCount * fileBytes

  await report('move', [
    {
      what: `move of a directory of ${fileCount} files, p50 (first one, when nothing is known yet: ${first(times)} s)`,
      figure: '≤ 1.5 s',
      measured: `${(median(times) / 1000).toFixed(2)} s`,
    },
    {
      what: 'its time against git mv and git commit of the same directory',
      figure: '–',
      measured: `${(ratios.get('git mv, git commit') ?? Number.NaN).toFixed(2)}x`,
    },
    {
      what: 'what a move adds to the disk (catalogue, feed, packs), of what the files have',
      figure: 'no byte of theirs',
      measured: `${(growth / 2 ** 20).toFixed(1)} of ${(stored / 2 ** 20).toFixed(1)} MB`,
    },
  ])
}

const first = ([ms = Number.NaN]: readonly number[]) => (ms / 1000).toFixed(2)

async function bytesOf(directory: string): Promise<number> {
  const { stdout } = Bun.spawn(['du', '-sb', directory], { stdout: 'pipe' })
  return Number.parseInt(await new Response(stdout).text(), 10)
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-move-'))
try {
  await main(directory)
} finally {
  await rm(directory, { recursive: true })
}
