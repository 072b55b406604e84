import { expect, test } from 'bun:test'

import { createRequestFacts } from './request-facts.ts'

const factsOf = createRequestFacts({ clientOf: (_, peer = '') => peer, keepsNetworks: true })

const secrets = {
  AccessKey: 'secret-1',
  AccountKey: 'secret-2',
  Authorization: 'Bearer secret-3',
  Cookie: 'cdn_session=secret-4',
  'x-api-key': 'secret-5',
  'X-Amz-Security-Token': 'secret-6',
  Referer: 'https://me:secret-7@www.Example.org/secret-8?secret-9',
  'User-Agent': 'Mozilla/5.0 (secret-10) Firefox/142.0',
  'X-Forwarded-For': '203.0.113.9',
}

test('nothing that opens anything or names a person is kept', () => {
  const request = new Request('http://cdn.test/acme/v1/icons/logo.svg?expires=1&signature=secret', {
    headers: { ...secrets, Accept: 'image/avif', Range: 'bytes=0-' },
  })
  const facts = factsOf(request, '198.51.100.7')
  expect(facts).toMatchObject({
    method: 'GET',
    path: '/acme/v1/icons/logo.svg',
    network: '198.51.100.0/24',
    referrer: 'www.example.org',
    agent: 'Firefox',
    headers: { accept: 'image/avif', range: 'bytes=0-' },
  })
  expect(JSON.stringify(facts)).not.toContain('secret')
  expect(JSON.stringify(facts)).not.toContain('198.51.100.7')
})

test('networks are left out where nobody wants them', () => {
  const without = createRequestFacts({ clientOf: (_, peer = '') => peer, keepsNetworks: false })
  expect(without(new Request('http://cdn.test/'), '198.51.100.7')).not.toHaveProperty('network')
})

test('what clients send is bounded', () => {
  const long = 'a'.repeat(5_000)
  const headers = { Accept: long, Referer: `https://${long}/`, 'User-Agent': long }
  const facts = factsOf(new Request(`http://cdn.test/${long}`, { headers }), '::1')
  expect(JSON.stringify(facts).length).toBeLessThan(2_000)
})

for (const [url, path] of [
  ['http://cdn.test', '/'],
  ['http://cdn.test/a?b=/c', '/a'],
  ['http://cdn.test/a%20b', '/a%20b'],
] as const)
  test(`the path of ${url} is ${path}`, () => {
    expect(factsOf(new Request(url), undefined).path).toBe(path)
  })
