import { expect, test } from 'bun:test'

import { createHostPurposes } from './host-purposes.ts'
import { createRouteOf } from './request-route.ts'

const routing = (zones: readonly string[]) =>
  createRouteOf(
    createHostPurposes({
      baseUrl: 'https://cdn.test',
      dashboardHost: 'ops.test',
      s3Host: 's3.test',
      previewHost: 'previews.test',
      zoneOfHost: (hostname) => (hostname === 'zone.test' ? 'acme' : undefined),
      hasZone: (name) => zones.includes(name),
    }),
  )
const routeOf = routing(['acme'])
const route = (url: string, headers: Record<string, string> = {}) =>
  routeOf(new Request(url, { headers }))

test('each URL of the service has its responder', () => {
  const expected = {
    'https://cdn.test/acme/v1/a.png': 'asset',
    'https://cdn.test/': 'site',
    'https://cdn.test/docs/images': 'site',
    'https://cdn.test/llms.txt': 'site',
    'https://cdn.test/api/docs': 'site',
    'https://cdn.test/api/transform?url=a': 'api',
    'https://cdn.test/watch?path=a': 'watch',
    'https://cdn.test/git/info/refs?service=git-upload-pack': 'clone',
    'https://cdn.test/git/v1/a.png': 'asset',
    'https://cdn.test/s3': 's3',
    'https://cdn.test/s3/acme/a.png': 's3',
    'https://cdn.test/s3/v1/a.png': 's3',
    'https://cdn.test/..%FF/s3/acme/a.png': 's3',
    'https://s3.test/v1/a.png': 's3',
    'https://acme.s3.test/a.png': 's3',
    'https://ops.test/dashboard/': 'dashboard',
    'https://cdn.test/.well-known/acme-challenge/token': 'challenge',
  }
  const found = Object.keys(expected).map((url) => [url, route(url)])

  expect(Object.fromEntries(found)).toEqual(expected)
})

test('at the host name of a zone there is its content, the interface, and nothing else of ours', () => {
  const expected = {
    'https://zone.test/': 'asset',
    'https://zone.test/docs/a': 'asset',
    'https://zone.test/llms.txt': 'asset',
    'https://zone.test/dashboard/': 'asset',
    'https://zone.test/git/info/refs': 'asset',
    'https://zone.test/s3/acme/a.png': 'asset',
    'https://zone.test/api/transform?url=a': 'api',
    'https://zone.test/.well-known/acme-challenge/token': 'challenge',
  }
  const found = Object.keys(expected).map((url) => [url, route(url)])

  expect(Object.fromEntries(found)).toEqual(expected)
})

test('at the host name of a preview there is what it shows and what is made of that', () => {
  const at = (path: string) => route(`https://spring--acme.previews.test${path}`)

  for (const path of ['/', '/v1/a.png', '/dashboard/', '/docs', '/git/info/refs', '/s3/acme'])
    expect([path, at(path)]).toEqual([path, 'asset'])
  for (const path of ['/api/transform?url=a', '/api/auto/a', '/api/stream', '/api/signed'])
    expect([path, at(path)]).toEqual([path, 'api'])
  for (const path of ['/api/storage/acme/v1/a', '/api/core/zones', '/api/passkeys/auth', '/api'])
    expect([path, at(path)]).toEqual([path, 'asset'])
  expect(route('https://spring.previews.test/api/transform?url=a')).toBe('asset')
})

test('a zone that was called s3 before the name was reserved is where it was', () => {
  const routeThere = routing(['s3'])
  const at = (url: string) => routeThere(new Request(url))

  expect(at('https://cdn.test/s3/v1/a.png')).toBe('asset')
  expect(at('https://cdn.test/s3/v10/a.png')).toBe('s3')
  expect(at('https://cdn.test/s3/acme/a.png')).toBe('s3')
  expect(at('https://s3.test/v1/a.png')).toBe('s3')
})

test('at a host name that is nobody’s the edge refuses, but for what programs ask anywhere', () => {
  expect(route('https://other.test/api/storage/a')).toBe('asset')
  expect(route('https://other.test/dashboard/')).toBe('asset')
  expect(route('https://other.test/api/health')).toBe('api')
})

test('a request that names no host, or two, is the edge’s to refuse', () => {
  expect(route('https://cdn.test/api/zones', { host: 'cdn.test, other.test' })).toBe('asset')
})
