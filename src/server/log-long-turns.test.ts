import { expect, test } from 'bun:test'

import { createLimitLog, createTurnLog } from './log-long-turns.ts'

test('a long turn is said at once, and those after it together, a minute later', () => {
  let now = 0
  const said: unknown[] = []
  const log = { info: (_message: string, fields?: unknown) => void said.push(fields), warn }
  const note = createTurnLog({ log, monotonicMs: () => now })
  const turn = (waitedMs: number) => note({ waitedMs, computedMs: waitedMs / 2 })

  turn(499)
  expect(said).toEqual([])
  turn(700)
  expect(said).toEqual([{ milliseconds: 700, computedMilliseconds: 350, times: 1 }])
  now = 59_000
  turn(900)
  now = 61_000
  turn(600)
  expect(said.slice(1)).toEqual([{ milliseconds: 600, computedMilliseconds: 300, times: 2 }])
})

test('with a limit each turn is said in which the thread computed for longer, with what was under way', () => {
  const said: unknown[] = []
  const log = { info: warn, warn: (_message: string, fields?: unknown) => void said.push(fields) }
  const note = createLimitLog({ log, monotonicMs: () => 0, turnLimitMs: 100 })

  note({ waitedMs: 900, computedMs: 100, during: ['putFile'] })
  note({ waitedMs: 99, computedMs: 900 })
  expect(said).toEqual([])
  note({ waitedMs: 300, computedMs: 120.4, during: ['putFile'] })
  note({ waitedMs: 110, computedMs: 160 })
  expect(said).toEqual([
    { milliseconds: 300, computedMilliseconds: 120, during: ['putFile'] },
    { milliseconds: 110, computedMilliseconds: 110 },
  ])
})

test('without one nothing of it is said', () => {
  createLimitLog({ log: { info: warn, warn }, monotonicMs: () => 0 })({
    waitedMs: 900,
    computedMs: 900,
  })
})

function warn(): void {
  throw new Error('nothing was to be said')
}
