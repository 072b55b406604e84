import { expect, test } from 'bun:test'

import { checkRules } from '../check-rules.ts'
import { parseRedirects } from './parse-redirects.ts'
import { compileRedirectRules, type ClientFacts } from './redirect-rules.ts'

interface Asked {
  readonly query?: string
  readonly origin?: string
  readonly country?: string
  readonly language?: string
  readonly cookie?: string
}

function decide(content: string, path: string, asked: Asked = {}) {
  const client: ClientFacts = {
    country: () => asked.country,
    languages: () => asked.language ?? null,
    cookies: () => asked.cookie ?? null,
  }
  const { origin = 'https://cdn.example', query = '' } = asked
  const { hostname } = new URL(origin)
  return compileRedirectRules(content).decide({ hostname, origin, path, query, client })
}

/** `301 /x` for a redirect, `200 → /x` for a rewrite, `-` for none. */
function outcome(...request: Parameters<typeof decide>): string {
  const { action } = decide(...request)
  if (action === undefined) return '-'
  return action.kind === 'redirect'
    ? `${action.status} ${action.location}`
    : `${action.status} → ${action.path}`
}

test.each([
  ['/a /b', '302 /b'],
  ['  /a    /b  301 ', '301 /b'],
  ['\t/a\t/b\t308', '308 /b'],
  ['# c\n\n/a /b 307', '307 /b'],
  ['/a /b 303', '303 /b'],
  ['a /b', '302 /b'],
  ['/a?x=1#y /b', '302 /b'],
  ['/a /b # note', '302 /b'],
  ['/a /b 301 # note', '301 /b'],
  ['/a /b#frag', '302 /b#frag'],
  ['/a /b?x=1#frag 301', '301 /b?x=1#frag'],
  ['/a https://other.example/x', '302 https://other.example/x'],
  ['/a https://other.example:8080/x?y#z', '302 https://other.example:8080/x?y#z'],
  ['/a https://cdn.example/x', '302 /x'],
  ['/a /b c d', '-'],
  ['/a', '-'],
  ['https://cdn.example/a /b', '-'],
  ['/a http://other.example/', '-'],
  ['/a b', '-'],
  ['/a /b 300', '-'],
  ['/a /b 30', '-'],
  ['/a /b abc', '-'],
  ['/a https://other.example/x 200', '-'],
  ['/a /b 301!', '301 /b'],
])('%p sends /a: %p', (content, expected) => {
  expect(outcome(content, '/a')).toBe(expected)
})

test.each([
  ['/foo/* /x/:splat', '/foo/', '302 /x/'],
  ['/foo/* /x/:splat', '/foo', '-'],
  ['/foo/* /x/:splat', '/foo/a/b', '302 /x/a/b'],
  ['/part* /y', '/part', '302 /y'],
  ['/under_:y /z/:y', '/under_1', '302 /z/1'],
  ['/:a/:b /:b/:a', '/1/2', '302 /2/1'],
  ['/:a /x', '/1/', '-'],
  ['/:a /x', '/1/2', '-'],
  ['/a /x', '/a/', '-'],
  ['/a /x', '/A', '-'],
  ['/*/* /x', '/a/b', '-'],
  ['/:a/:a /x', '/a/b', '-'],
  ['/a/b/../c /x', '/a/c', '302 /x'],
  ['/a b /x', '/a', '-'],
])('%p sends %p: %p', (content, path, expected) => {
  expect(outcome(content, path)).toBe(expected)
})

test.each([
  ['/a /b', '?x=1', '302 /b?x=1'],
  ['/a /b?y=2', '?x=1', '302 /b?y=2'],
  ['/a /b#f', '?x=1', '302 /b?x=1#f'],
  ['/a https://o.example/b', '?x=1', '302 https://o.example/b?x=1'],
  ['/a /b?', '?x=1', '302 /b?x=1'],
])('%p with the query %p gives %p', (content, query, expected) => {
  expect(outcome(content, '/a', { query })).toBe(expected)
})

test('static rules go before dynamic ones, whatever their lines', () => {
  expect(outcome('/b /1\n/* /2\n', '/b')).toBe('302 /1')
  expect(outcome('/* /2\n/b /1\n', '/b')).toBe('302 /2')
  expect(outcome('/a/* /1\n/a/:x /2\n', '/a/b')).toBe('302 /1')
})

test('a literal line after a dynamic one counts as dynamic and says so', () => {
  const content = '/x/* /y\n/a /b\n/c /d'
  expect(parseRedirects(content).rules.map(({ isStatic }) => isStatic)).toEqual([
    false,
    false,
    false,
  ])
  expect(checkRules('_redirects', content).warnings.map(({ line }) => line)).toEqual([2, 3])
})

test('of two lines with one source the first wins and the second is dropped', () => {
  expect(outcome('/a /1\n/a /2', '/a')).toBe('302 /1')
  expect(checkRules('_redirects', '/a /1\n/a?q /2').errors).toMatchObject([{ line: 2 }])
})

test.each([
  ['/* /index.html 200', 1],
  ['/* /index', 1],
  ['/foo/* /x/index.html 301', 1],
  ['/ /index.html', 0],
  ['/* https://o.example/index.html', 0],
])('%p has %p endless loops', (content, count) => {
  expect(parseRedirects(content).diagnostics.length).toBe(count)
})

test('2,000 static rules are kept, each line beyond is dropped, and dynamic ones still come', () => {
  const content = `${Array.from({ length: 2002 }, (_, index) => `/s${index} /t`).join('\n')}\n/d/* /t`
  const { rules, diagnostics } = parseRedirects(content)
  expect(rules.length).toBe(2001)
  expect(diagnostics.map(({ line }) => line)).toEqual([2001, 2002])
})

test('beyond 100 dynamic rules the rest of the file is dropped, and the complaint counts it', () => {
  const content = Array.from({ length: 120 }, (_, index) => `/d${index}/* /t`).join('\n')
  const { rules, diagnostics } = parseRedirects(content)
  expect(rules.length).toBe(100)
  expect(diagnostics).toMatchObject([{ line: 101 }])
  expect(diagnostics[0]?.reason).toContain('20 lines')
})

test('an invalid target uses up a rule of the limit all the same', () => {
  const content = `${Array.from({ length: 100 }, (_, index) => `/d${index}/* nowhere`).join('\n')}\n/e/* /t`
  expect(parseRedirects(content).rules.length).toBe(0)
  expect(parseRedirects(content).diagnostics.length).toBe(101)
})

test.each([
  ['/a /b 200', '/a', '200 → /b'],
  ['/a /b?ignored 200', '/a', '200 → /b'],
  ['/img/* /acme/v1/:splat 200', '/img/logos/a.png', '200 → /acme/v1/logos/a.png'],
  ['/gone/* /acme/v1/x/gone.html 410', '/gone/1', '410 → /acme/v1/x/gone.html'],
  ['/a /b 404', '/a', '404 → /b'],
  ['/a /b 451', '/a', '451 → /b'],
  ['/docs/* 200', '/docs/x', '200 → /docs/x'],
])('%p rewrites %p: %p', (content, path, expected) => {
  expect(outcome(content, path)).toBe(expected)
})

test.each([
  ['/x/* /:splat', '/x//evil.example', '302 /evil.example'],
  ['/x/* /:splat', '/x///evil.example/y', '302 /evil.example/y'],
  ['/x/* /:splat', '/x/\\evil.example', '302 /evil.example'],
  ['/x/* //:splat', '/x/evil.example', '302 /evil.example'],
  ['/x/* /\\:splat', '/x/evil.example', '302 /evil.example'],
  ['/x/* /y?next=https://a.example//b', '/x/', '302 /y?next=https://a.example//b'],
  ['/x/* :splat', '/x/https://evil.example', '-'],
])('%p cannot be made to leave for %p: %p', (content, path, expected) => {
  expect(outcome(content, path)).toBe(expected)
})

test.each([
  ['/a id=1 /b', { query: '?id=1' }, '302 /b?id=1'],
  ['/a id=1 /b', { query: '?id=2' }, '-'],
  ['/a id=1 /b', {}, '-'],
  ['/a id=:id /b/:id', { query: '?id=7&x=2' }, '302 /b/7?id=7&x=2'],
  ['/a id=:id /b/:id', { query: '?id=%2F%2Fevil' }, '302 /b/%2F%2Fevil?id=%2F%2Fevil'],
  ['/a id=:id x=y /b 301', { query: '?id=7&x=y' }, '301 /b?id=7&x=y'],
  ['/a id=:id x=y /b 301', { query: '?id=7' }, '-'],
  ['/a /b Country=de,at', { country: 'AT' }, '302 /b'],
  ['/a /b 301 Country=de', { country: 'FR' }, '-'],
  ['/a /b 301 Country=de', {}, '-'],
  ['/a /b Language=de', { language: 'de-AT, en;q=0.5' }, '302 /b'],
  ['/a /b Language=de', { language: 'en, de;q=0.5' }, '-'],
  ['/a /b Language=de', { language: 'en;q=0.1, de;q=0.5' }, '302 /b'],
  ['/a /b Cookie=beta', { cookie: 'x=1; beta=2' }, '302 /b'],
  ['/a /b Cookie=beta', { cookie: 'alphabeta=2' }, '-'],
  ['/a /b Role=admin', {}, '-'],
  ['/a /b Country=', { country: '' }, '-'],
])('%p for %p: %p', (content, asked, expected) => {
  expect(outcome(content, '/a', asked)).toBe(expected)
})

test('a condition not met leaves the URL to the next line', () => {
  const content = '/a /de 302 Country=de\n/a /other'
  expect(outcome(content, '/a', { country: 'DE' })).toBe('302 /de')
  expect(outcome(content, '/a', { country: 'FR' })).toBe('302 /other')
  expect(decide(content, '/a', { country: 'FR' }).dependsOnClient).toBeTrue()
  expect(decide(content, '/b', { country: 'FR' }).dependsOnClient).toBeFalse()
})

test('domain validation is never redirected', () => {
  expect(outcome('/* /x', '/.well-known/acme-challenge/token')).toBe('-')
})

test('a capture that makes the target no URL leaves the URL to the next line', () => {
  expect(outcome('/go/:host https://:host/\n/go/* /x', '/go/a%20b')).toBe('302 /x')
})

test.each([
  ['/a /b\n/b /a', [1, 2]],
  ['/a /b\n/b /c\n/c /b', [2, 3]],
  ['/a /a?x', [1]],
  ['/a /b\n/b /a 200', []],
  ['/x/* /y\n/x/b/* /z', [2]],
  ['/x/* /y 302 Country=de\n/x/b/* /z', []],
  ['/x/:a /y\n/x/:a/b /z', []],
  ['/x/* /:splat/:other', [1]],
  ['/x/:a /:b', [1]],
  ['/x /:a', [1]],
  ['/x id=:a /:a', []],
])('%p has warnings in the lines %p', (content, lines) => {
  const { errors, warnings } = checkRules('_redirects', content)
  expect(errors).toEqual([])
  expect(warnings.map(({ line }) => line)).toEqual(lines)
})

test('a line of more than 2,000 characters is dropped', () => {
  expect(parseRedirects(`/a /${'b'.repeat(2000)}`).diagnostics).toMatchObject([{ line: 1 }])
})
