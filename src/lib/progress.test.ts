import { expect, test } from 'bun:test'

import { createProgress } from './progress.ts'

function setUp(isTTY: boolean, columns = 120, amount?: (value: number) => string) {
  const written: string[] = []
  let ms = 0
  const progress = createProgress({
    label: 'icons',
    total: 100,
    unit: 'files',
    amount,
    output: { isTTY, columns, write: (text) => written.push(text) },
    monotonicMs: () => ms,
  })
  const advance = (by: number, tookMs: number) => {
    ms += tookMs
    progress.advance(by)
  }
  return { written, progress, advance }
}

test('a terminal gets one line that is drawn over, with rate and time left', () => {
  const { written, progress, advance } = setUp(true)
  advance(50, 1000)
  advance(50, 1000)
  progress.finish()

  expect(written[0]).toMatch(/^\r.*█{14}░{14}.*50\/100 files, 50\/s, 1 s left$/u)
  expect(written.at(-1)).toMatch(/100\/100 files, 50\/s\n$/u)
})

test('elsewhere there are plain lines, seldom', () => {
  const { written, progress, advance } = setUp(false)
  for (let second = 0; second < 10; second += 1) advance(10, 1000)
  progress.finish()

  expect(written).toEqual([
    'icons: 50/100 files, 10/s, 5 s left\n',
    'icons: 100/100 files, 10/s\n',
    'icons: 100/100 files, 10/s\n',
  ])
})

test('a line is cut where the terminal ends, if it says where that is', () => {
  const narrow = setUp(true, 10)
  const unknown = setUp(true, 0)
  narrow.advance(50, 1000)
  unknown.advance(50, 1000)

  expect(narrow.written[0]).toEndWith('icons [███')
  expect(unknown.written[0]).toContain('50/100 files')
})

test('amounts may have units of their own, and what was done before says nothing of the rate', () => {
  const { written, progress, advance } = setUp(true, 120, (value) => `${value} MB`)
  progress.skip(50)
  advance(10, 1000)

  expect(written.at(-1)).toMatch(/60 MB of 100 MB, 10 MB\/s, 4 s left$/u)
})
