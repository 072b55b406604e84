/**
 * `npm run bench:all`, or `npm run bench:all -- put edge`: one benchmark after the other, each in a process of its own,
 * with what it means for the ratios that were kept before. Ends with 1 where one has got worse by more than a tenth, or
 * where a benchmark did not end well.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { report, type Row } from './harness.ts'
import { compareKept, readRows } from './kept-results.ts'

const maxMinutes = 15
const maxLoss = 0.1
const results = join(import.meta.dir, 'results')
/** What measures another checkout beside this one, and what is here only for others. */
const notAlone = new Set(['all', 'harness', 'two-checkouts'])

async function benchmarks(): Promise<readonly string[]> {
  const names = readdirSync(import.meta.dir)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => !notAlone.has(name))
  const sources = await Promise.all(
    names.map((name) => Bun.file(join(import.meta.dir, `${name}.ts`)).text()),
  )
  return names.filter((_, index) => sources[index]?.includes('report(')).toSorted()
}

/** The newest table of each benchmark. */
async function keptTables(): Promise<ReadonlyMap<string, readonly Row[]>> {
  const files = readdirSync(results).toSorted()
  const tables = await Promise.all(
    files.map(async (file) => [benchOf(file), readRows(await tableOf(file))] as const),
  )
  return new Map(tables)
}

const dateLength = '2026-01-01-'.length
const benchOf = (file: string): string => file.slice(dateLength, -'.md'.length)
const tableOf = async (file: string): Promise<string> => await Bun.file(join(results, file)).text()

interface Ended {
  readonly rows: readonly Row[]
  readonly isWell: boolean
}

async function run(name: string, before: ReadonlyMap<string, readonly Row[]>): Promise<Ended> {
  const startedAt = Date.now()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: maxMinutes * 60_000,
    killSignal: 'SIGKILL',
    env: { SEDGE_BENCH_MINUTES: '2', ...process.env },
  })
  if ((await child.exited) !== 0) {
    const measured = `did not end well within ${maxMinutes} minutes`
    return { rows: [{ what: name, figure: '', measured }], isWell: false }
  }
  const written = readdirSync(results).filter(
    (file) => statSync(join(results, file)).mtimeMs >= startedAt,
  )
  const all = await Promise.all(written.map((file) => compared(file, before)))
  return { rows: all.flatMap(({ rows }) => rows), isWell: all.every(({ isWell }) => isWell) }
}

async function compared(file: string, before: ReadonlyMap<string, readonly Row[]>): Promise<Ended> {
  const bench = benchOf(file)
  const kept = compareKept(before.get(bench) ?? [], readRows(await tableOf(file)))
  const rows = kept.map((each) => ({
    what: `${bench}: ${each.what}`,
    figure: `${each.figure}; was ${each.before}x`,
    measured: `${each.now}x, ${each.change < 1 - maxLoss ? '**worse**: ' : ''}${each.change.toFixed(2)} of what it was`,
  }))
  return { rows, isWell: kept.every(({ change }) => change >= 1 - maxLoss) }
}

const known = await benchmarks()
const chosen = process.argv.length > 2 ? process.argv.slice(2) : known
const unknown = chosen.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: one of ${known.join(', ')}`)
const before = await keptTables()
const rows: Row[] = []
for (const name of chosen) {
  console.log(`\n${name}`)
  const ended = await run(name, before)
  rows.push(...ended.rows)
  if (!ended.isWell) process.exitCode = 1
}
await report('all', rows)
