import { expect, test } from 'bun:test'

import { createCalm } from './calm.ts'

/** Time passes when somebody waits, and only then. */
function setUp() {
  const clock = { ms: 0 }
  const calm = createCalm({
    now: () => clock.ms,
    wait: async (ms) => void (clock.ms += ms),
  })
  const waitedMs = async (signal = new AbortController().signal): Promise<number> => {
    const before = clock.ms
    await calm.reached(signal)
    return clock.ms - before
  }
  return { clock, calm, waitedMs }
}

test('nobody waits while little comes in', async () => {
  const { calm, waitedMs } = setUp()
  expect(await waitedMs()).toBe(0)
  using _little = calm.begin(3)
  expect(await waitedMs()).toBe(0)
})

test('what comes in from several counts together, and a moment longer', async () => {
  const { calm, waitedMs } = setUp()
  const two = calm.begin(2)
  const others = calm.begin(2)
  others[Symbol.dispose]()
  others[Symbol.dispose]()
  expect(await waitedMs()).toBe(500)
  expect(await waitedMs()).toBe(0)
  two[Symbol.dispose]()
  expect(await waitedMs()).toBe(0)
})

test('where it never ends, work goes on for a quarter of the time', async () => {
  const { clock, calm, waitedMs } = setUp()
  using _much = calm.begin(100)
  expect(await waitedMs()).toBe(60_000)
  clock.ms += 10_000
  expect(await waitedMs()).toBe(0)
  clock.ms += 5_000
  expect(await waitedMs()).toBe(0)
  expect(await waitedMs()).toBe(60_000)
})

test('whoever is stopped does not wait', async () => {
  const { calm, waitedMs } = setUp()
  using _much = calm.begin(100)
  expect(await waitedMs(AbortSignal.abort())).toBe(0)
})

test('work rests for longer than it took where somebody asks, and else not at all', async () => {
  const { clock, calm } = setUp()
  const { signal } = new AbortController()
  const restedMs = async (workedMs: number): Promise<number> => {
    const before = clock.ms
    await calm.rest(workedMs, signal)
    return clock.ms - before
  }
  expect(await restedMs(130)).toBe(0)

  calm.ask()
  expect(await restedMs(130)).toBe(195)
  expect(await restedMs(1)).toBe(0)
  expect(await restedMs(9_000)).toBe(500)
  clock.ms += 1_000
  expect(await restedMs(130)).toBe(0)
})

test('whoever is stopped does not rest', async () => {
  const { clock, calm } = setUp()
  calm.ask()
  await calm.rest(130, AbortSignal.abort())
  expect(clock.ms).toBe(0)
})

test('those who work side by side rest together', async () => {
  const { clock, calm } = setUp()
  const { signal } = new AbortController()
  calm.ask()
  const ends: number[] = []
  await Promise.all(
    [20, 60].map(async (workedMs) => {
      await calm.rest(workedMs, signal)
      ends.push(clock.ms)
    }),
  )
  expect(Math.min(...ends)).toBeGreaterThanOrEqual(90)
})
