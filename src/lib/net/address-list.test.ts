import { expect, test } from 'bun:test'

import { addressList, coarseNetworkOf, isLoopback, networkOf } from './address-list.ts'

test('a list holds its addresses and blocks, also in IPv6 clothes, and nothing else', () => {
  const list = addressList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.7', '2001:DB8:1::5'])
    expect(list.includes(address)).toBe(true)
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', 'localhost', ''])
    expect(list.includes(address)).toBe(false)
})

test('the network of an address is itself in IPv4 and the /56 in IPv6', () => {
  expect(networkOf('198.51.100.1')).toBe('198.51.100.1')
  expect(networkOf('::ffff:198.51.100.1')).toBe('198.51.100.1')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:0::/56')
  expect(networkOf('2001:0DB8:0001:0002::9')).toBe('2001:db8:1:0::/56')
  expect(networkOf('2001:db8:1:ab12::9')).toBe('2001:db8:1:ab00::/56')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/56')
  expect(networkOf('::1')).toBe('0:0:0:0::/56')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/56')
})

test('a coarse network names nobody: the /24 in IPv4 and the /48 in IPv6', () => {
  expect(coarseNetworkOf('198.51.100.7')).toBe('198.51.100.0/24')
  expect(coarseNetworkOf('::ffff:198.51.100.7')).toBe('198.51.100.0/24')
  expect(coarseNetworkOf('2001:db8:1:ab12::9')).toBe('2001:db8:1::/48')
  expect(coarseNetworkOf('::1')).toBe('0:0:0::/48')
  expect(coarseNetworkOf('unknown')).toBeUndefined()
})

test('what is neither address nor block is refused by name', () => {
  for (const range of ['10.0.0.0/33', 'example.org', '10.0.0.0/', '::/129', '1.2.3.4/8/8', ''])
    expect(() => addressList([range])).toThrow('is neither an IP address nor a block')
})

for (const [host, isInside] of [
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
  ['unknown', false],
  ['', false],
] as const)
  test(`"${host}" ${isInside ? 'stays on' : 'may leave'} this machine`, () => {
    expect(isLoopback(host)).toBe(isInside)
  })
