import { expect, test } from 'bun:test'

import { createRandom, seedOf } from '../../../test/support/random.ts'
import { flatMapInTurns, sortInTurns } from './in-turns.ts'

test('what is made in turns is what would have been made at once', async () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index)
  const each = (one: number) => (one % 3 === 0 ? [one, -one] : [])
  expect(await flatMapInTurns(numbers, 7, each)).toEqual(numbers.flatMap(each))
})

test('what is sorted in turns is sorted as ever, and equals keep their order', async () => {
  const random = createRandom(seedOf('sort in turns'))
  for (const count of [0, 1, 2, 100, 1_001]) {
    const all = Array.from({ length: count }, (_, place) => ({ key: random.integer(0, 50), place }))
    const compare = (one: { key: number }, other: { key: number }) => one.key - other.key
    expect(await sortInTurns(all, 9, compare)).toEqual(all.toSorted(compare))
  }
})

test('others have their turn meanwhile', async () => {
  const others = { turns: 0, isOver: false }
  const takeTheirs = (): void => {
    others.turns += 1
    if (!others.isOver) setImmediate(takeTheirs)
  }
  takeTheirs()
  await sortInTurns(
    Array.from({ length: 1_000 }, (_, index) => -index),
    10,
    (one, other) => one - other,
  )
  others.isOver = true
  expect(others.turns).toBeGreaterThan(100)
})
