import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { parseHostName } from './host-name.ts'

test.each([
  ['cdn.example.com', 'cdn.example.com'],
  ['CDN.Example.com.', 'cdn.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['a.co', 'a.co'],
  ['1.example.com', '1.example.com'],
])('%s is the host %s', (text, host) => {
  expect(parseHostName(text) as string).toBe(host)
})

test.each([
  '',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '2130706433',
  '-a.example.com',
  'a-.example.com',
  'a..example.com',
  'a_b.example.com',
  'exa mple.com',
  'example.com:443',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  '*.example.com',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(127)}example.com`,
])('%j is refused', (text) => {
  expect(() => parseHostName(text)).toThrow(
    expect.objectContaining({ code: 'InvalidParameter', target: 'Hostname' }),
  )
})

test('any text is a host name or is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        expect(parseHostName(`${text}.example.com`)).toMatch(/^[a-z0-9.-]+\.example\.com$/u)
      } catch (error) {
        expect(error).toMatchObject({ code: 'InvalidParameter' })
      }
    }),
  )
})
