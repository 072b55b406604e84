import { expect, test } from 'bun:test'

import { hasValidHost, hostnameIn } from './host-field.ts'

test.each([
  ['cdn.example', 'cdn.example'],
  ['cdn.example:8080', 'cdn.example'],
  ['cdn.example:', 'cdn.example'],
  ['cdn.example.', 'cdn.example'],
  ['cdn.example.:80', 'cdn.example'],
  ['a_b', 'a_b'],
  ['127.0.0.1:1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['[::1]:8080', '[::1]'],
  ['', undefined],
  [':80', undefined],
  ['.', undefined],
  ['[::1', undefined],
  ['::1', undefined],
  ['[::1]x', undefined],
  ['[zz]', undefined],
  ['[]', undefined],
  ['a:b:c', undefined],
  ['a:-1', undefined],
  ['a:1e2', undefined],
  ['a:65536', undefined],
  ['a:000080', undefined],
  ['a,b', undefined],
  ['a b', undefined],
  ['a@b', undefined],
  ['a%2fb', undefined],
  ['a*', undefined],
  ['é', undefined],
])('Host %p names %p', (host, name) => {
  expect(hostnameIn(host)).toBe(name as string)
})

test.each([
  ['http://a/x', true],
  ['https://a:1/', true],
  ['/x', false],
  ['http://[::1/x', false],
  ['http:///x', false],
])('the host of %p is valid: %p', (url, isValid) => {
  expect(hasValidHost({ url })).toBe(isValid)
})
