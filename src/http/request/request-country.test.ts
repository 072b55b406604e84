import { expect, test } from 'bun:test'

import { addressList } from '../../lib/net/address-list.ts'
import { createCountryOf } from './request-country.ts'

const set = (countries: Readonly<Record<string, string>>) => {
  const asked: string[] = []
  const countryOf = createCountryOf({
    lookUp: (address) => {
      asked.push(address)
      return countries[address]
    },
    proxies: addressList(['10.0.0.0/8']),
    header: 'CF-IPCountry',
    maxKnown: 2,
  })
  const from = (peer: string, headers: Record<string, string> = {}) =>
    countryOf(new Request('http://x/', { headers }), peer)
  return { asked, from }
}

test('a stranger is where its address is, whatever it writes', () => {
  const { from } = set({ '198.51.100.1': 'DE' })

  expect(from('198.51.100.1', { 'CF-IPCountry': 'FR' })).toBe('DE')
  expect(from('198.51.100.1', { 'X-Forwarded-For': '203.0.113.1' })).toBe('DE')
  expect(from('198.51.100.2')).toBe('XX')
})

test('a trusted proxy names the country, or else the address of its client', () => {
  const { from } = set({ '203.0.113.1': 'NL' })
  const forwarded = { 'X-Forwarded-For': '203.0.113.1' }

  expect(from('10.0.0.1', { ...forwarded, 'CF-IPCountry': 'fr' })).toBe('FR')
  expect(from('10.0.0.1', { ...forwarded, 'CF-IPCountry': 'France' })).toBe('NL')
  expect(from('10.0.0.1', forwarded)).toBe('NL')
})

test('an address is looked up once, and only so many are remembered', () => {
  const { asked, from } = set({})
  for (const peer of ['1.1.1.1', '1.1.1.1', '2.2.2.2', '3.3.3.3', '1.1.1.1']) from(peer)

  expect(asked).toEqual(['1.1.1.1', '2.2.2.2', '3.3.3.3', '1.1.1.1'])
})
