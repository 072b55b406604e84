import { expect, test } from 'bun:test'

import { createUpkeep } from './upkeep.ts'

function setUpUpkeep(stepsOfEachRun: number) {
  const slices: (() => void)[] = []
  const done: string[] = []
  let runs = 0
  const upkeep = createUpkeep({
    schedule: (slice) => void slices.push(slice),
    *work() {
      runs += 1
      for (let step = 1; step <= stepsOfEachRun; step += 1) {
        done.push(`${runs}.${step}`)
        yield
      }
    },
  })
  return { upkeep, slices, done, runSlice: () => slices.shift()?.() }
}

test('a slice is one step, and only one slice waits at a time', () => {
  const { upkeep, slices, done, runSlice } = setUpUpkeep(2)
  upkeep.request()
  upkeep.request()

  expect(slices).toHaveLength(1)
  runSlice()
  expect(done).toEqual(['1.1'])
  expect(slices).toHaveLength(1)
})

test('work that is asked for during a run is done after it', () => {
  const { upkeep, slices, done, runSlice } = setUpUpkeep(2)
  upkeep.request()
  runSlice()
  upkeep.request()
  while (slices.length > 0) runSlice()

  expect(done).toEqual(['1.1', '1.2', '2.1', '2.2'])
})

test('without a request nothing is scheduled again', () => {
  const { upkeep, slices, done, runSlice } = setUpUpkeep(1)
  upkeep.request()
  while (slices.length > 0) runSlice()
  expect(done).toEqual(['1.1'])
})
