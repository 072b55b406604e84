import { expect, test } from 'bun:test'
import { isCrossSite } from './cross-site.ts'

const ask = (headers: Record<string, string>, method = 'POST', ownUrl?: string) =>
  isCrossSite(new Request('http://sedge.test:8788/api/tokens', { method, headers }), ownUrl)

test('a browser says whether its page is of this very origin', () => {
  expect(ask({ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://sedge.test:8788' })).toBe(false)
  expect(ask({ 'Sec-Fetch-Site': 'none' })).toBe(false)
  for (const site of ['cross-site', 'same-site', '', 'anything'])
    expect(ask({ 'Sec-Fetch-Site': site, Origin: 'http://sedge.test:8788' })).toBe(true)
})

test('without that the origin has to be the address asked, or the configured one', () => {
  expect(ask({ Origin: 'http://sedge.test:8788' })).toBe(false)
  expect(ask({ Origin: 'https://cdn.example' }, 'POST', 'https://cdn.example')).toBe(false)
  for (const origin of ['http://sedge.test', 'http://evil.test', 'null', '', 'sedge.test:8788'])
    expect(ask({ Origin: origin }, 'DELETE')).toBe(true)
})

test('programs that are no browsers send neither', () => {
  expect(ask({})).toBe(false)
})

test('reading is not concerned: other sites cannot see the answer', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(ask({ 'Sec-Fetch-Site': 'cross-site' }, method)).toBe(false)
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
    expect(ask({ 'Sec-Fetch-Site': 'cross-site' }, method)).toBe(true)
})
