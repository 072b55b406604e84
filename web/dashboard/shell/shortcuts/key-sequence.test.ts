import { expect, test } from 'bun:test'

import { createKeySequence } from './key-sequence.ts'

const open = () => createKeySequence([{ keys: 'u' }, { keys: 'g u' }, { keys: 'g a' }])

test('one key is found at once, two when the second comes', () => {
  const sequence = open()
  expect(sequence.press('u', 0)?.keys).toBe('u')
  expect(sequence.press('g', 10)).toBeUndefined()
  expect(sequence.press('u', 20)?.keys).toBe('g u')
  expect(sequence.press('u', 30)?.keys).toBe('u')
})

test('a first key is forgotten after a while, and after a key that means nothing', () => {
  const sequence = open()
  sequence.press('g', 0)
  expect(sequence.press('a', 5_000)).toBeUndefined()
  sequence.press('g', 6_000)
  expect(sequence.press('x', 6_100)).toBeUndefined()
  expect(sequence.press('a', 6_200)).toBeUndefined()
})
