import { expect, test } from 'bun:test'

import { createTurnLog } from './log-long-turns.ts'

test('a long turn is said at once, and those after it together, a minute later', () => {
  let now = 0
  const said: unknown[] = []
  const log = { info: (_message: string, fields?: unknown) => void said.push(fields) }
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
