/**
 * A directory of 10,000 files gets another name: through the whole service (HTTP, commit, catalogue, feed,
 * audit, all durable), against `git mv` and `git commit` of the same directory in a work tree.
 */
import { openBesideGit } from './beside-git.ts'
import { compare, median, report } from './harness.ts'
import { git } from './many-files.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const fileCount = Number(process.env['FILES'] ?? 10_000)
const fileBytes = 4096

const nameOf = (round: number) => `library-${round}`

await using both = await openBesideGit({ directory: nameOf(0), fileCount, fileBytes })

async function move(round: number): Promise<number> {
  const body = { From: `acme/v1/${nameOf(round)}`, To: `acme/v1/${nameOf(round + 1)}` }
  const { ms, told } = await both.timed('/api/storage/move', body)
  if (told.Files !== fileCount) throw new Error(`it said ${JSON.stringify(told)}`)
  return ms
}

async function moveByGit(round: number): Promise<number> {
  const start = performance.now()
  const names = [round, round + 1].map((at) => `clients/acme/v1/${nameOf(at)}`)
  await git(both.workTree, 'mv', ...names)
  await both.commitByGit('move')
  return performance.now() - start
}

const times: number[] = []
const before = await bytesOf(both.dataDirectory)
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
const growth = ((await bytesOf(both.dataDirectory)) - before) / rounds
const stored = fileCount * fileBytes

await report('move', [
  {
    what: `move of a directory of ${fileCount} files, p50 (first one, when nothing is known yet: ${seconds(times[0])})`,
    figure: '≤ 1.5 s',
    measured: `${seconds(median(times))} (the quickest ${seconds(Math.min(...times))})`,
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

function seconds(ms = Number.NaN): string {
  return `${(ms / 1000).toFixed(2)} s`
}

async function bytesOf(directory: string): Promise<number> {
  const { stdout } = Bun.spawn(['du', '-sb', directory], { stdout: 'pipe' })
  return Number.parseInt(await new Response(stdout).text(), 10)
}
