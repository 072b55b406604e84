import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { compareKept, readRows } from '../bench/kept-results.ts'

const table = (...rows: readonly string[]): string =>
  [
    '# bench/put, 2026-01-01',
    '',
    '| what | figure | measured |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')

test('a table is read as it was written', () => {
  expect(readRows(table('| one client | ≥ 1.5x | 0.54x |', '| bytes |  | 3 MB |'))).toEqual([
    { what: 'one client', figure: '≥ 1.5x', measured: '0.54x' },
    { what: 'bytes', figure: '', measured: '3 MB' },
  ])
})

test('less is worse where a figure is to be high, and more where it is to be low', () => {
  const before = readRows(table('| high | ≥ 1x | 2.00x of nginx |', '| low | ≤ 3x | 2 x |'))
  const now = readRows(table('| high | ≥ 1x | 1.00x of nginx |', '| low | ≤ 3x | 4 x |'))

  expect(compareKept(before, now).map(({ what, change }) => [what, change])).toEqual([
    ['high', 0.5],
    ['low', 0.5],
  ])
})

test('what is no ratio, is new, or is not said to be good either way, is not compared', () => {
  const before = readRows(
    table('| time | ≤ 5 ms | 4 ms |', '| aside |  | 2x |', '| none | ≥ 1x | 0x |'),
  )
  const now = readRows(
    table(
      '| time | ≤ 5 ms | 8 ms |',
      '| aside |  | 1x |',
      '| none | ≥ 1x | 1x |',
      '| new | ≥ 1x | 1x |',
    ),
  )

  expect(compareKept(before, now)).toEqual([])
})

test('the page of the benchmarks names each, and none that is not there', async () => {
  const bench = join(import.meta.dir, '..', 'bench')
  const page = await Bun.file(join(bench, 'README.md')).text()
  const named = [...page.matchAll(/^\| `(?<name>[a-z0-9-]+)` +\|/gmu)].map((row) => row[1])
  const there = readdirSync(bench).filter((file) => file.endsWith('.ts') && !isNone.has(file))
  const texts = await Promise.all(there.map((file) => Bun.file(join(bench, file)).text()))
  const reporting = there.filter((_, index) => texts[index]?.includes('report('))

  expect(new Set(named)).toEqual(new Set(reporting.map((file) => file.slice(0, -'.ts'.length))))
  expect(page).toContain('bench/two-checkouts.ts')
})

/** What runs them, and what measures another checkout. */
const isNone: ReadonlySet<string> = new Set(['all.ts', 'harness.ts', 'two-checkouts.ts'])
