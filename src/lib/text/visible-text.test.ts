import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { counted, visibleText } from './visible-text.ts'

test('blanks of every kind and what cannot be seen become one blank', () => {
  expect(visibleText(' \t a\n\n\u00a0b\u200b\u202ec\u0000 ', 20)).toBe('a b c')
})

test('a text that begins with blanks is not lost', () => {
  expect(visibleText(`${' '.repeat(30)}green logo`, 10)).toBe('green logo')
})

test('no character is cut in halves', () => {
  expect(visibleText('ab\u{1f600}c', 3)).toBe('ab')
  expect(visibleText('ab\ud83d', 3)).toBe('ab')
})

test('property: it is as long as was said, whole, in one line, and the same when it is cut again', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }),
      (text, length) => {
        const cut = visibleText(text, length)
        expect(cut.length).toBeLessThanOrEqual(length)
        expect(cut.isWellFormed()).toBe(true)
        expect(cut).not.toMatch(/\p{C}| {2}|^ | $/u)
        expect(visibleText(cut, length)).toBe(cut)
      },
    ),
  )
})

test('one is one, everything else is many', () => {
  expect([0, 1, 2].map((count) => counted(count, 'asset'))).toEqual([
    '0 assets',
    '1 asset',
    '2 assets',
  ])
  expect(counted(1, 'country', 'countries')).toBe('1 country')
  expect(counted(3, 'country', 'countries')).toBe('3 countries')
})
