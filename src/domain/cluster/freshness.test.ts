import { expect, test } from 'bun:test'

import { watchFreshness } from './freshness.ts'

/** A node on a clock that the test moves; everything it asks is answered at once, or fails. */
function createNode() {
  const state = { nowMs: 1_000, newest: 0, shown: 0, isDatabaseAway: false, faults: 0 }
  const waiting: (() => void)[] = []
  const ask = <T>(answer: T): Promise<T> =>
    state.isDatabaseAway ? Promise.reject(new Error('away')) : Promise.resolve(answer)
  const freshness = watchFreshness({
    newestSeq: () => ask(state.newest),
    isShown: async (seq) => state.shown >= seq,
    readCredentials: () => ask(undefined),
    monotonicMs: () => state.nowMs,
    pause: (_, signal) =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve())
      }),
    onFault: () => void (state.faults += 1),
  })
  return {
    state,
    freshness,
    /** Lets time go by, and the node look once more. */
    pass: async (milliseconds: number): Promise<void> => {
      state.nowMs += milliseconds
      for (const wake of waiting.splice(0)) wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('before it has looked it is behind by who knows how much', async () => {
  const { freshness } = createNode()
  await using _closing = freshness
  expect([freshness.behindMs, freshness.credentialsAgeMs]).toEqual([Infinity, Infinity])
})

test('what shows all that there is, is behind by no more than the time since it asked', async () => {
  const { state, freshness, pass } = createNode()
  await using _closing = freshness
  await pass(0)
  state.nowMs += 90
  expect([freshness.behindMs, freshness.credentialsAgeMs]).toEqual([90, 90])
})

test('what misses something gets older and older, and is new once it shows it', async () => {
  const { state, freshness, pass } = createNode()
  await using _closing = freshness
  await pass(0)
  state.newest = 7
  await pass(500)
  await pass(500)
  expect([freshness.behindMs, freshness.credentialsAgeMs]).toEqual([1_000, 0])
  state.shown = 7
  await pass(100)
  expect(freshness.behindMs).toBe(0)
})

test('without the database it knows of nothing, and tells once that it is away', async () => {
  const { state, freshness, pass } = createNode()
  await using _closing = freshness
  await pass(0)
  state.isDatabaseAway = true
  await pass(400)
  await pass(400)
  expect([freshness.behindMs, freshness.credentialsAgeMs]).toEqual([800, 800])
  expect(state.faults).toBe(2)
  state.isDatabaseAway = false
  await pass(200)
  expect([freshness.behindMs, freshness.credentialsAgeMs]).toEqual([0, 0])
})
