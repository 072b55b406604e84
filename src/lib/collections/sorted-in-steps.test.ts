import { expect, test } from 'bun:test'

import { sortedPlaces } from './sorted-in-steps.ts'

function all(texts: readonly string[]) {
  const steps = sortedPlaces(texts)
  for (let count = 0; ; count += 1) {
    const { done, value } = steps.next()
    if (done === true) return { sorted: Array.from(value, (place) => texts[place]), count }
  }
}

for (const size of [0, 1, 8_192, 8_193, 50_000])
  test(`${size} texts are in the order that sorting has them in`, () => {
    const texts = Array.from({ length: size }, (_, index) => `text ${(index * 7_919) % 50_021}`)
    const { sorted, count } = all(texts)

    expect(sorted).toEqual(texts.toSorted())
    expect(count).toBeGreaterThanOrEqual(Math.floor(size / 8_192))
  })

test('texts are compared by their code units', () => {
  expect(all(['é', 'z', '\u{1F600}', '\uFFFD', 'Z']).sorted).toEqual([
    'Z',
    'z',
    'é',
    '\u{1F600}',
    '\uFFFD',
  ])
})
