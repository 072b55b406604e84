import { expect, test } from 'bun:test'

import { firstOf } from './ranks.ts'

function made<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const numbers = Uint32Array.from({ length: 20_011 }, (_, place) => (place * 7_919) % 20_011)
const ascending = (a: number, b: number) => a - b

for (const most of [1, 7, 1_000, numbers.length, numbers.length + 1])
  test(`the first ${most} in an order are those that sorting has first`, () => {
    expect(made(firstOf(numbers, ascending, most))).toEqual(numbers.toSorted().slice(0, most))
    expect(made(firstOf(numbers, (a, b) => b - a, most))).toEqual(
      numbers.toSorted().toReversed().slice(0, most),
    )
  })

test('of none there is no first', () => {
  expect(made(firstOf(new Uint32Array(0), ascending, 5))).toEqual(new Uint32Array(0))
})
