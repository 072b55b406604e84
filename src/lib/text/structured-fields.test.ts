import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { readDictionary } from './structured-fields.ts'

test('members are read without their parameters', () => {
  expect([...(readDictionary('a=1, b, c=tok;x=1, d="s", e=(1 2), f=?0, g=:AQI=:') ?? [])]).toEqual([
    ['a', 1],
    ['b', true],
    ['c', 'tok'],
    ['d', 's'],
    ['e', undefined],
    ['f', false],
    ['g', Uint8Array.of(1, 2)],
  ])
})

test('a field that does not parse is no dictionary', () => {
  for (const field of ['a=1, &&', 'a=', 'A=1', 'a=1,', 'a =1', 'a="x'])
    expect(readDictionary(field)).toBeUndefined()
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      (text) => void readDictionary(text),
    ),
  )
})
