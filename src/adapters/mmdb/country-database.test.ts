import { expect, test } from 'bun:test'

import { openCountryDatabase } from './country-database.ts'

test('public addresses have a country, private ones and what is no address have none', async () => {
  const countries = await openCountryDatabase()
  const countryOf = (address: string) => countries.countryOf(address)

  expect(countryOf('8.8.8.8')).toBe('US')
  expect(countryOf('193.0.6.139')).toBe('NL')
  expect(countryOf('2a01:4f8::1')).toBe('DE')
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '::1',
    'fe80::1',
    'unknown',
    '',
    '1.2.3',
    '::ffff:',
  ])
    expect(countryOf(address)).toBeUndefined()
})
