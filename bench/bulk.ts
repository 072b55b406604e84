/**
 * A thousand assets get a tag by one request: through the whole service (HTTP, one commit, catalogue, feed,
 * audit, all durable), against a commit by git of as many small files beside them.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, startService } from '../test/support/service-process.ts'
import { compare, median, report } from './harness.ts'
import { createRepository, git } from './many-files.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const fileCount = 1000
const fileBytes = 4096
const directory = 'library'
const pathOf = (index: number) => `acme/v1/${directory}/${index % 100}/file-${index}.png`
const paths = Array.from({ length: fileCount }, (_, index) => pathOf(index))

async function main(room: string): Promise<void> {
  const dataDirectory = join(room, 'data')
  const repository = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory })).stop()
  await createRepository(repository, { directory, fileCount, fileBytes })
  const bare = join(room, 'peer.git')
  await cp(repository, bare, { recursive: true })
  const workTree = join(room, 'peer')
  await mkdir(workTree)
  await git(room, 'clone', '--quiet', '--branch', 'main', bare, workTree)
  await using service = await startService({ dataDirectory })

  async function tag(round: number): Promise<number> {
    const start = performance.now()
    const response = await fetch(`${service.url}/api/assets/bulk`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Paths: paths, Action: 'tag', Tags: [`round-${round}`] }),
    })
    const told = (await response.json()) as { readonly Results?: readonly unknown[] }
    const ms = performance.now() - start
    if (told.Results?.length !== fileCount)
      throw new Error(`it said ${JSON.stringify(told).slice(0, 400)}`)
    return ms
  }

  async function tagByGit(round: number): Promise<number> {
    const text = (path: string) => JSON.stringify({ path, tags: [`round-${round}`] })
    const start = performance.now()
    for (const path of paths)
      await Bun.write(join(workTree, 'clients', 'acme', '.sedge', `${path}.json`), text(path))
    await git(workTree, 'add', '--all')
    await git(workTree, '-c', 'core.fsync=all', 'commit', '--quiet', '-m', 'tag')
    return performance.now() - start
  }

  const times: number[] = []
  const ratios = await compare({
    title: `a tag for ${fileCount} assets (ms)`,
    ours: {
      name: 'sedge, all of it',
      async run(round) {
        const ms = await tag(round)
        times.push(ms)
        return ms
      },
    },
    peers: [{ name: 'write, git add, git commit', run: tagByGit }],
    rounds,
  })
  await report('bulk', [
    {
      what: `a tag for ${fileCount} assets by one request, one commit, p50`,
      figure: '≤ 300 ms',
      measured: `${median(times).toFixed(0)} ms`,
    },
    {
      what: 'its time against writing as many small files and committing them with git',
      figure: '–',
      measured: `${(ratios.get('write, git add, git commit') ?? Number.NaN).toFixed(2)}x`,
    },
  ])
}

const room = await mkdtemp(join(tmpdir(), 'sedge-bench-'))
try {
  await main(room)
} finally {
  await rm(room, { recursive: true, force: true })
}
