import { expect, test } from 'bun:test'

import { createUnderWay } from './under-way.ts'

test('what was under way at any time since it was last asked is named once', () => {
  const underWay = createUnderWay()
  const [long, again] = [underWay.begin('long'), underWay.begin('long')]
  underWay.begin('short')[Symbol.dispose]()
  expect(underWay.take()).toEqual(['long', 'short'])

  long[Symbol.dispose]()
  long[Symbol.dispose]()
  expect(underWay.take()).toEqual(['long'])
  again[Symbol.dispose]()
  expect(underWay.take()).toEqual([])
})

test('where nobody asks no more than so many names are kept', () => {
  const underWay = createUnderWay()
  for (let index = 0; index < 1000; index += 1) underWay.begin(`${index}`)[Symbol.dispose]()
  expect(underWay.take()).toHaveLength(64)
})
