/**
 * What the repository of a zone takes to be made, for a zone with a tenth of a history, against git's own
 * program that makes one of a directory, and against reading the same commits; and to be led on by one commit.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { gitEnvironment, runGit, streamGit } from '../src/adapters/git/objects/git-command.ts'
import { GitZoneRepositories } from '../src/adapters/git/zones/zone-repositories.ts'
import { SqlZoneCommitStore } from '../src/adapters/sql/zone-commits/sql-zone-commit-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { compare, median, report } from './harness.ts'

const commitCount = Number(process.env['COMMITS'] ?? 100_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const zoneCount = 100
const filesPerZone = 500
/** Every tenth commit is of the zone that is measured. */
const every = 10
const steps = 20
const probeMs = 5

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-zones-'))
try {
  const whole = join(directory, 'repository.git')
  await runGit(directory, ['init', '-q', '--bare', '--initial-branch=main', whole])
  await importCommits(whole, { from: 0, count: commitCount })
  await runGit(whole, ['commit-graph', 'write', '--reachable', '--changed-paths'])
  const stalls: number[] = []
  const filterBranchPeer = {
    name: 'git filter-branch --subdirectory-filter',
    run: (round: number) => filterBranch(whole, `filtered-${round}`),
  }
  const ratios = await compare({
    title: `the repository of a zone with ${commitCount / every} of ${commitCount} commits (s)`,
    ours: {
      name: 'the service',
      run: async (round) => {
        await using zones = await openZones(whole, `cold-${round}`)
        return await seconds(async () => stalls.push(await longestStall(() => zones.open())))
      },
    },
    peers: [
      { name: 'git log of the directory', run: () => seconds(() => readLog(whole)) },
      // It takes minutes.
      ...(process.env['FILTER_BRANCH'] === 'none' ? [] : [filterBranchPeer]),
    ],
    rounds,
  })
  await using zones = await openZones(whole, 'led-on')
  const coldMs = (await seconds(() => zones.open())) * 1000
  const own: number[] = []
  const others: number[] = []
  const nothing: number[] = []
  for (let step = 0; step < steps; step += 1) {
    await importCommits(whole, { from: commitCount + step * 2, count: 1, zone: 0 })
    own.push((await seconds(() => zones.open())) * 1000)
    await importCommits(whole, { from: commitCount + step * 2 + 1, count: 1, zone: 1 })
    others.push((await seconds(() => zones.open())) * 1000)
    nothing.push((await seconds(() => zones.open())) * 1000)
  }
  const ratio = (name: string) => `${(ratios.get(name) ?? Number.NaN).toFixed(3)}x`
  await report('zone-repositories', [
    row(
      `made of ${commitCount} commits, ${commitCount / every} of the zone`,
      '',
      `${coldMs.toFixed(0)} ms`,
    ),
    row('against git log of the directory', '', ratio('git log of the directory')),
    row('against git filter-branch', '≤ 1x', ratio('git filter-branch --subdirectory-filter')),
    row('longest stall of the event loop meanwhile', '≤ 100 ms', `${median(stalls).toFixed(0)} ms`),
    row('led on by one commit of the zone', '', `${median(own).toFixed(1)} ms`),
    row('led on by one commit of another', '', `${median(others).toFixed(1)} ms`),
    row('asked for where nothing is new', '', `${median(nothing).toFixed(1)} ms`),
  ])
} finally {
  await rm(directory, { recursive: true, force: true })
}

function row(what: string, figure: string, measured: string) {
  return { what, figure, measured }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Milliseconds for which nothing else could be answered. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const probe = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - probeMs)
    last = performance.now()
  }, probeMs)
  await work()
  clearInterval(probe)
  return longest
}

async function openZones(whole: string, name: string) {
  const database = await openSqliteDatabase({ file: join(directory, `${name}.sqlite`) })
  const zones = new GitZoneRepositories({
    repository: whole,
    directory: join(directory, name),
    commits: new SqlZoneCommitStore(database),
    newest: async () => (await runGit(whole, ['rev-parse', 'main'])).toString().trim(),
    directoryOf: (zone) => `clients/${zone}`,
  })
  return {
    open: () => zones.open({ name: 'zone-0' }),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      await rm(join(directory, name), { recursive: true })
    },
  }
}

async function readLog(whole: string): Promise<void> {
  const args = ['log', '--first-parent', '--raw', '-r', '-t', '--no-abbrev', 'main', '--']
  for await (const _chunk of streamGit(whole, [...args, 'clients/zone-0']));
}

async function filterBranch(whole: string, name: string): Promise<number> {
  const clone = join(directory, name)
  await runGit(whole, ['clone', '-q', '--bare', '--shared', whole, clone])
  const took = await seconds(async () => {
    const args = ['filter-branch', '-d', `${clone}-work`, '--subdirectory-filter', 'clients/zone-0']
    const child = Bun.spawn(['git', ...args, '--', 'main'], {
      cwd: clone,
      env: { ...gitEnvironment(), FILTER_BRANCH_SQUELCH_WARNING: '1' },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const errors = new Response(child.stderr).text()
    if ((await child.exited) !== 0) throw new Error(await errors)
  })
  await rm(clone, { recursive: true })
  return took
}

/** Each puts one file, as the service does. */
async function importCommits(
  whole: string,
  { from, count, zone }: { readonly from: number; readonly count: number; readonly zone?: number },
) {
  const child = Bun.spawn(['git', `--git-dir=${whole}`, 'fast-import', '--quiet', '--force'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = new Response(child.stderr).text()
  for (let index = from; index < from + count; index += 1) {
    const own = zone ?? (index % every === 0 ? 0 : 1 + (index % (zoneCount - 1)))
    const path = `zone-${own}/v1/logos/file-${(index * 7) % filesPerZone}.svg`
    const subject = `Put ${path}\n\nRequest-Id: ${index}\n`
    const start = index === from && from > 0 ? 'from refs/heads/main^0\n' : ''
    void child.stdin.write(
      `commit refs/heads/main\nauthor access-key <access-key@sedge.invalid> ${1_700_000_000 + index} +0000\n` +
        `committer Sedge <sedge@sedge.invalid> ${1_700_000_000 + index} +0000\ndata ${subject.length}\n${subject}\n${start}` +
        `M 100644 inline clients/${path}\ndata ${String(index).length}\n${index}\n\n`,
    )
    if (index % 1000 === 0) await child.stdin.flush()
  }
  await child.stdin.end()
  if ((await child.exited) !== 0) throw new Error(await errors)
}
