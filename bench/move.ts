/**
 * A directory of 10,000 files gets another name: through the whole service (HTTP, commit, catalogue, feed,
 * audit, all durable), against `git mv` and `git commit` of the same directory in a work tree.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, startService } from '../test/support/service-process.ts'
import { compare, median, report } from './harness.ts'
import { createRepository, git } from './many-files.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const fileCount = Number(process.env['FILES'] ?? 10_000)
const fileBytes = 4096

const nameOf = (round: number) => `library-${round}`

async function main(directory: string): Promise<void> {
  const dataDirectory = join(directory, 'data')
  const repository = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory })).stop()
  await createRepository(repository, { directory: nameOf(0), fileCount, fileBytes })
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
