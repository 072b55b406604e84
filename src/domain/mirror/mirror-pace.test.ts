import { expect, test } from 'bun:test'

import { dueInMs, type MirrorNeeds } from './mirror-pace.ts'

const calm: MirrorNeeds = {
  pendingCommits: 0,
  failures: 0,
  sinceBeganMs: 3_000,
  sinceEndedMs: 1_000,
  looks: false,
  chance: 1,
}

test('without commits there is nothing to do', () => {
  expect(dueInMs(calm)).toBeUndefined()
})

test('rounds begin ten seconds apart, or as soon as 500 commits wait', () => {
  expect(dueInMs({ ...calm, pendingCommits: 1 })).toBe(7_000)
  expect(dueInMs({ ...calm, pendingCommits: 499 })).toBe(7_000)
  expect(dueInMs({ ...calm, pendingCommits: 500 })).toBe(0)
  expect(dueInMs({ ...calm, pendingCommits: 1, sinceBeganMs: 60_000 })).toBe(0)
})

test('who is to hear of others looks every half minute', () => {
  expect(dueInMs({ ...calm, looks: true })).toBe(27_000)
  expect(dueInMs({ ...calm, looks: true, pendingCommits: 1 })).toBe(7_000)
})

test('failures are met with pauses that double up to ten minutes, however much waits', () => {
  const pauseAfter = (failures: number, chance: number) =>
    dueInMs({ ...calm, failures, chance, sinceEndedMs: 0, pendingCommits: 10_000 })
  expect([1, 2, 3, 4, 20, 5_000].map((failures) => pauseAfter(failures, 1))).toEqual([
    10_000, 20_000, 40_000, 80_000, 600_000, 600_000,
  ])
  expect([0, 0.5].map((chance) => pauseAfter(3, chance))).toEqual([20_000, 30_000])
})
