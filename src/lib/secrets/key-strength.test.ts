import { expect, test } from 'bun:test'

import { keyStrength } from './key-strength.ts'
import { Secret } from './secret.ts'

const strengthOf = (keys: Readonly<Record<string, string>>) =>
  keyStrength(
    new Map(Object.entries(keys).map(([name, text]) => [name, new Secret(text)])),
    'PASSWORD',
  )

test('what is short is named, and what is no protection is a fault', () => {
  const { faults, short } = strengthOf({
    ONE: 'a',
    SEVEN: 'a'.repeat(7),
    EIGHT: 'a'.repeat(8),
    FIFTEEN: 'a'.repeat(15),
    SIXTEEN: 'a'.repeat(16),
  })
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['ONE', 'SEVEN'])
  expect(short).toEqual(['ONE', 'SEVEN', 'EIGHT', 'FIFTEEN'])
})

test('a password may be half as long as a key', () => {
  expect(strengthOf({ PASSWORD: 'a'.repeat(8) })).toEqual({ faults: [], short: [] })
  expect(strengthOf({ PASSWORD: 'a'.repeat(7) }).faults).toHaveLength(1)
})
