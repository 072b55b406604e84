import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { canonicalJson } from './canonical-json.ts'

test('the order of members does not matter, that of elements does', () => {
  expect(canonicalJson({ b: { d: 1, c: [2, 1] }, a: null })).toBe(
    '{"a":null,"b":{"c":[2,1],"d":1}}',
  )
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
})

test('what is undefined is not there', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe(canonicalJson({ b: 1 }))
})

test('a member may have any name', () => {
  const text = '{"__proto__":{"a":1},"constructor":2}'
  expect(canonicalJson(JSON.parse(text))).toBe(text)
})

test('it says what JSON says, and the same of whatever was put together in another order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const reversed = Object.fromEntries(Object.entries(members).toReversed())
      expect(canonicalJson(reversed)).toBe(canonicalJson(members))
      expect(JSON.parse(canonicalJson(members))).toEqual(JSON.parse(JSON.stringify(members)))
    }),
  )
})
