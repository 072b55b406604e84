import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { addressList } from '../../lib/net/address-list.ts'
import { clientAddress, clientCountry } from './client-address.ts'

const proxies = addressList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])

const from = (peer: string, forwarded?: string) =>
  clientAddress(
    new Headers(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }),
    peer,
    proxies,
  )

test('nobody but a trusted proxy is believed', () => {
  expect(from('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1')
  expect(from('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9')
  expect(from('::ffff:10.1.2.3', '203.0.113.9')).toBe('203.0.113.9')
  expect(from('2001:db8::5', '203.0.113.9')).toBe('203.0.113.9')
})

test('the rightmost address that is no proxy counts, whatever a client wrote further left', () => {
  expect(from('10.0.0.1', '1.1.1.1, 203.0.113.9, 192.0.2.7, 10.9.9.9')).toBe('203.0.113.9')
  expect(from('10.0.0.1', '1.1.1.1, unknown, 10.9.9.9')).toBe('10.9.9.9')
  expect(from('10.0.0.1', '10.0.0.2, 10.0.0.3')).toBe('10.0.0.2')
  expect(from('10.0.0.1', '')).toBe('10.0.0.1')
  expect(from('10.0.0.1')).toBe('10.0.0.1')
})

test('ports, brackets and IPv4 in IPv6 clothes are taken off', () => {
  expect(from('10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9')
  expect(from('10.0.0.1', '[2001:DB9::1]:443')).toBe('2001:db9::1')
  expect(from('::ffff:198.51.100.1')).toBe('198.51.100.1')
})

test('a country is believed from a trusted proxy alone, and only if it looks like one', () => {
  const trust = { proxies, header: 'CF-IPCountry' }
  const country = (peerAddress: string, value: string) =>
    clientCountry({ headers: new Headers({ 'cf-ipcountry': value }), peerAddress }, trust)
  expect(country('10.0.0.1', 'de')).toBe('DE')
  expect(country('198.51.100.1', 'DE')).toBeUndefined()
  expect(country('10.0.0.1', 'Germany')).toBeUndefined()
})

test('no header ever makes an untrusted peer somebody else, nor throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.ipV4(), (forwarded, peer) => {
      const headers = { get: () => forwarded }
      if (!proxies.includes(peer)) expect(clientAddress(headers, peer, proxies)).toBe(peer)
      expect(clientAddress(headers, '10.0.0.1', proxies)).toBeString()
    }),
  )
})
