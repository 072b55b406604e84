import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { compareByBytes } from './byte-order.ts'

test('texts are in the order of their bytes', () => {
  const unit = fc.constantFrom('a', 'b', '/', 'ü', '퟿', '', 'ﬁ', '😀', '\u{10ffff}')
  const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
  fc.assert(
    fc.property(text, text, (one, other) => {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other))
      expect(Math.sign(compareByBytes(one, other))).toBe(expected)
    }),
  )
})
