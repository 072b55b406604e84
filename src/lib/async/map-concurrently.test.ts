import { expect, test } from 'bun:test'

import { mapConcurrently } from './map-concurrently.ts'

test('answers are in the order of the items, and no more than the limit are under way', async () => {
  let underWay = 0
  let most = 0
  const answers = await mapConcurrently([3, 1, 2, 0], 2, async (turns) => {
    underWay += 1
    most = Math.max(most, underWay)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    underWay -= 1
    return turns * 10
  })

  expect(answers).toEqual([30, 10, 20, 0])
  expect(most).toBe(2)
})

test('others have their turn where all answers are at hand', async () => {
  let turns = 0
  let isOver = false
  const takeTheirs = (): void => {
    turns += 1
    if (!isOver) setImmediate(takeTheirs)
  }
  setImmediate(takeTheirs)
  await mapConcurrently([1, 2, 3, 4], 2, async () => computeFor(20))
  isOver = true

  expect(turns).toBeGreaterThan(1)
})

function computeFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('the first failure is the result', async () => {
  const answer = mapConcurrently([1, 2, 3], 2, async (item) => {
    if (item === 2) throw new Error('no')
  })

  expect(answer).rejects.toThrow('no')
})
