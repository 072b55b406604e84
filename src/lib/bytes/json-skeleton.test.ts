import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { LongString, parseJsonSkeleton } from './json-skeleton.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (text: string, longerThan = 8) =>
  parseJsonSkeleton(bytesOf(text), { longerThan, maxDepth: 32 })

const whole = (value: unknown): unknown => {
  if (value instanceof LongString) return value.text()
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, whole(member)]))
}

test('any JSON value comes back as it is once its long strings are read', () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(json, fc.nat(12), (text, longerThan) => {
      expect(whole(parse(text, longerThan))).toEqual(JSON.parse(text))
    }),
  )
})

test('a long string is left where it lies', () => {
  const parsed = parse('{"content":"0123456789","path":"a"}') as Record<string, unknown>

  expect(parsed['content']).toBeInstanceOf(LongString)
  expect(parsed['path']).toBe('a')
})

test('escapes in a long string are read as JSON reads them', () => {
  const text = 'quote " slash \\ line \n snow \u2603 end'

  expect(whole(parse(JSON.stringify({ text })))).toEqual({ text })
})

test('a string that looks like a stand-in is only a string', () => {
  expect(whole(parse('["long:0","long:1","a long enough string"]'))).toEqual([
    'long:0',
    'long:1',
    'a long enough string',
  ])
})

test('what is not JSON is refused', () => {
  for (const text of ['', '{', '"abc', '{"a":"0123456789}', '[1,]', '"\\"'])
    expect(() => parse(text)).toThrow(SyntaxError)
})

test('a control character in a long string is refused when it is read', () => {
  expect(() => whole(parse('["0123456789\n"]'))).toThrow(SyntaxError)
})

test('nesting is refused beyond its bound, and brackets in strings do not count', () => {
  expect(() => parse('['.repeat(33) + ']'.repeat(33))).toThrow(RangeError)
  expect(parse(JSON.stringify('['.repeat(8)))).toBe('[[[[[[[[')
})
