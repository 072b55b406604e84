import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { matchesVary, varyNamesOf, varyValuesOf } from './vary.ts'

const named = (vary: string) => varyNamesOf(new Headers({ vary }))

test('Vary is a list without case, order or doubles', () => {
  expect(named('B, a ,A,,b')).toEqual(['a', 'b'])
  expect(varyNamesOf(new Headers())).toEqual([])
  expect(named('a, *')).toBeUndefined()
  expect(named(Array.from({ length: 17 }, (_, index) => `x${index}`).join())).toBeUndefined()
})

const request = (value: string) => new Headers({ x: value, 'accept-encoding': value })
const members = (value: string) =>
  value
    .split(/\s*,\s*/u)
    .sort()
    .join()

const field = fc.constantFrom(
  'gzip',
  'br',
  'gzip, br',
  'br,gzip',
  'gzip;q=0',
  '',
  '"a, b"',
  '"a,b"',
)

test('a request matches its own values, and what a field means decides for others', () => {
  fc.assert(
    fc.property(field, field, (one, other) => {
      const values = varyValuesOf(['accept-encoding'], request(one))
      expect(matchesVary(values, request(one))).toBe(true)
      const isList = !`${one}${other}`.includes('"')
      expect(matchesVary(values, request(other))).toBe(
        isList ? members(one) === members(other) : one === other,
      )
      expect(matchesVary(varyValuesOf(['x'], request(one)), new Headers())).toBe(false)
    }),
  )
})

test('an unknown field is the same with other blanks around its commas, not in another order', () => {
  const values = varyValuesOf(['x'], new Headers({ x: 'a, b' }))

  expect(matchesVary(values, new Headers({ x: 'a  ,b' }))).toBe(true)
  expect(matchesVary(values, new Headers({ x: 'b, a' }))).toBe(false)
  expect(matchesVary(values, new Headers({ x: 'A, b' }))).toBe(false)
})
