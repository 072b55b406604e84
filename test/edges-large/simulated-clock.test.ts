import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import { createSimulatedClock } from './simulated-clock.ts'

test('what is due is done in its order, and an hour takes no hour', async () => {
  const clock = createSimulatedClock()
  const done: string[] = []
  clock.after(3_600_000, () => done.push(`last at ${clock.nowMs}`))
  clock.after(50, () => done.push(`first at ${clock.nowMs}`))
  const waiting = clock.wait(1_000).then(() => done.push(`waited until ${clock.nowMs}`))
  await clock.runUntil(3_600_010)

  await waiting
  expect(done).toEqual(['first at 50', 'waited until 1000', 'last at 3600000'])
})

test('time stands still for work that is not of this clock', async () => {
  const clock = createSimulatedClock()
  const outside = Promise.withResolvers<void>()
  let endedAtMs = 0
  clock.after(
    100,
    () => void clock.standStill(outside.promise).then(() => (endedAtMs = clock.nowMs)),
  )
  clock.after(110, () => undefined)
  void laterBy(3).then(outside.resolve)
  await clock.runUntil(10_000)

  expect(endedAtMs).toBe(100)
})

test('time stands still while somebody computes, however many turns that takes', async () => {
  const clock = createSimulatedClock()
  const startedAtMs: number[] = []
  async function work(): Promise<void> {
    using attendance = clock.attend()
    for (let round = 0; round < 3; round += 1) {
      await laterBy(20)
      startedAtMs.push(clock.nowMs)
      await attendance.awaiting(clock.wait(1_000))
    }
  }
  clock.after(100, () => void work())
  clock.after(110, () => undefined)
  await clock.runUntil(10_000)

  expect(startedAtMs).toEqual([100, 1_100, 2_100])
})

test('a wait ends where it is given up', async () => {
  const clock = createSimulatedClock()
  const leaving = new AbortController()
  let endedAtMs = -1
  void clock.wait(5_000, leaving.signal).then(() => (endedAtMs = clock.nowMs))
  clock.after(200, () => leaving.abort())
  await clock.runUntil(300)

  expect(endedAtMs).toBe(200)
  await clock.wait(5_000, leaving.signal)
})

async function laterBy(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate()
}
