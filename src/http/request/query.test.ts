import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { booleanFlag, clampedInteger, oneOf, rangedInteger, readQuery } from './query.ts'
import { validate } from './validation.ts'

const schema = z.object({
  page: clampedInteger({ min: 1, max: 200, default: 50 }),
  width: rangedInteger({ min: 1, max: 8192 }).optional(),
  deep: booleanFlag().optional(),
  order: oneOf(['asc', 'desc']).default('asc'),
})
const parse = (query: string) => validate(schema, readQuery(new URLSearchParams(query)), 'query')

test('clamped numbers move into their range, whole ones only', () => {
  for (const [text, page] of [
    ['', 50],
    ['page=7', 7],
    ['page=0', 1],
    ['page=-5', 1],
    ['page=007', 7],
    ['page=201', 200],
    [`page=${'9'.repeat(300)}`, 200],
  ] as const)
    expect(parse(text)).toMatchObject({ page })
  for (const text of ['1.5', 'abc', '', ' 1', '1e3', '0x10', 'NaN', 'Infinity', '١'])
    expect(() => parse(`page=${encodeURIComponent(text)}`)).toThrow('page must be a whole number')
})

test('ranged numbers must be within their range', () => {
  expect(parse('width=8192')).toMatchObject({ width: 8192 })
  for (const text of ['0', '8193', '-1', '1.0', 'x'])
    expect(() => parse(`width=${text}`)).toThrow('width must be a whole number')
})

test('flags and choices take what is documented', () => {
  for (const [text, deep] of [
    ['deep=1', true],
    ['deep=true', true],
    ['deep', true],
    ['deep=0', false],
    ['deep=false', false],
  ] as const)
    expect(parse(text)).toMatchObject({ deep })
  expect(() => parse('deep=maybe')).toThrow('deep must be true or false')
  expect(parse('order=desc')).toMatchObject({ order: 'desc' })
  expect(() => parse('order=DESC')).toThrow('order must be one of asc, desc')
})

test('the first of a repeated parameter counts, and unknown ones are passed over', () => {
  expect(parse('page=2&page=x&nonsense=1&__proto__=2&constructor=3')).toEqual({
    page: 2,
    order: 'asc',
  })
})

test('any query is read or refused', () => {
  const pair = fc.tuple(fc.constantFrom('page', 'width', 'deep', 'order', '__proto__'), fc.string())
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      try {
        const { page } = parse(new URLSearchParams(pairs).toString()) as { page: number }
        expect(page >= 1 && page <= 200).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    }),
  )
})
