import { expect, test } from 'bun:test'

import { createLongestTurn, createTurnMeter, type Turn } from './loop-turns.ts'

test('a turn is as long as the timer is late, and says how much of it was computed', () => {
  let [now, computed] = [1000, 5]
  const turns: Turn[] = []
  const look = createTurnMeter({
    everyMs: 50,
    monotonicMs: () => now,
    computedMs: () => computed,
    onTurn: (turn) => void turns.push(turn),
  })
  for (const [passed, used] of [
    [50, 1],
    [350, 200],
    [49, 0],
  ] as const) {
    now += passed
    computed += used
    look()
  }

  expect(turns).toEqual([
    { waitedMs: 0, computedMs: 1 },
    { waitedMs: 300, computedMs: 200 },
    { waitedMs: 0, computedMs: 0 },
  ])
})

test('the longest is known for a minute at least, and for two at most', () => {
  let now = 0
  const longest = createLongestTurn(() => now)
  longest.add(300)
  longest.add(20)
  const seen = [0, 59_000, 61_000, 119_000, 121_000].map((at) => {
    now = at
    return longest.ms
  })
  expect(seen).toEqual([300, 300, 300, 300, 0])

  longest.add(80)
  now += 10 * 60_000
  expect(longest.ms).toBe(0)
})

test('the processor time of this thread only grows', () => {
  const turns: Turn[] = []
  const monotonicMs = () => performance.now()
  const look = createTurnMeter({ everyMs: 0, monotonicMs, onTurn: (turn) => void turns.push(turn) })
  look()
  look()
  expect(turns.every(({ waitedMs, computedMs }) => waitedMs >= 0 && computedMs >= 0)).toBe(true)
})
