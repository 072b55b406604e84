/**
 * A thousand assets get a tag by one request: through the whole service (HTTP, one commit, catalogue, feed,
 * audit, all durable), against a commit by git of as many small files beside them.
 */
import { join } from 'node:path'

import { openBesideGit } from './beside-git.ts'
import { compare, median, report } from './harness.ts'
import { git } from './many-files.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const fileCount = 1000
const fileBytes = 4096
const directory = 'library'
const pathOf = (index: number) => `acme/v1/${directory}/${index % 100}/file-${index}.png`
const paths = Array.from({ length: fileCount }, (_, index) => pathOf(index))

await using both = await openBesideGit({ directory, fileCount, fileBytes })

async function tag(round: number): Promise<number> {
  const body = { Paths: paths, Action: 'tag', Tags: [`round-${round}`] }
  const { ms, told } = await both.timed('/api/assets/bulk', body)
  if (told.Results?.length !== fileCount) throw new Error(`it said ${JSON.stringify(told)}`)
  return ms
}

async function tagByGit(round: number): Promise<number> {
  const text = (path: string) => JSON.stringify({ path, tags: [`round-${round}`] })
  const start = performance.now()
  for (const path of paths)
    await Bun.write(join(both.workTree, 'clients', 'acme', '.sedge', `${path}.json`), text(path))
  await git(both.workTree, 'add', '--all')
  await both.commitByGit('tag')
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
    measured: `${median(times).toFixed(0)} ms (the quickest ${Math.min(...times).toFixed(0)})`,
  },
  {
    what: 'its time against writing as many small files and committing them with git',
    figure: '–',
    measured: `${(ratios.get('write, git add, git commit') ?? Number.NaN).toFixed(2)}x`,
  },
])
