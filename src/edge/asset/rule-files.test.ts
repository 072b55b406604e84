import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { checkRules } from '../../domain/content/rules/check-rules.ts'
import { createEdge } from './edge.ts'

/**
 * Every sentence of how the two rule files behave, one row each, as a client sees it. The parts have
 * tests of their own beside them; this is the list to compare with other implementations.
 */
const base = 'https://cdn.example'
const asset = '/acme/v1/logos/a.png'

interface Files {
  readonly headers?: string
  readonly redirects?: string
}

async function ask({ headers = '', redirects = '' }: Files, address: string, init?: RequestInit) {
  const world = new PublishedWorld()
  for (const name of ['a', 'b', '%2B', 'a b'])
    await world.publish(`acme/v1/logos/${name}.png`, `picture ${name}`)
  await world.publish('acme/v1/pages/gone.html', 'gone')
  world.putDomain('img.acme.example', 'acme')
  world.putRules('_headers', headers)
  world.putRules('_redirects', redirects)
  const edge = createEdge({
    manifest: world,
    blobs: world.blobs,
    settings: { baseUrl: base },
    countryOf: (request) => request.headers.get('x-country') ?? 'XX',
  })
  return await edge.fetch(new Request(new URL(address, base), { redirect: 'manual', ...init }))
}

/** The field X of the answer; `null` where there is none. */
const fieldOf = async (headers: string, address: string, init?: RequestInit) =>
  (await ask({ headers }, address, init)).headers.get('x')

/** `301 /x` for a redirect, `200 picture a` for what is sent, else the status. */
async function outcomeOf(redirects: string, address: string, init?: RequestInit): Promise<string> {
  const answer = await ask({ redirects }, address, init)
  const location = answer.headers.get('location')
  if (location !== null) return `${answer.status} ${location}`
  return answer.status >= 400 && answer.status !== 410
    ? String(answer.status)
    : `${answer.status} ${await answer.text()}`
}

const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

test.each([
  ['the 101st block still counts', many(101, (n) => `/${n}\n X: ${n}`), '/100', '100'],
  ['the 102nd does not', many(102, (n) => `/${n}\n X: ${n}`), '/101', null],
  ['a line may have 2,000 characters', `/a\n X: ${'y'.repeat(1997)}`, '/a', 'y'.repeat(1997)],
  ['a longer one is dropped', `/a\n X: ${'y'.repeat(1998)}`, '/a', null],
  ['a comment may be longer', `/a\n#${'y'.repeat(3000)}\n X: 1`, '/a', '1'],
  ['indentation means nothing', '   /a\nX: 1', '/a', '1'],
  ['empty lines are skipped', '/a\n\n\n X: 1', '/a', '1'],
  ['lines that start with # are skipped', '# a\n/a\n  # b\n X: 1', '/a', '1'],
  ['what starts with a slash is a path', '/a\n X: 1\n/b\n X: 2', '/b', '2'],
  ['what looks like scheme:// is one too', `/a\n X: 1\n${base}/b\n X: 2`, '/b', '2'],
  ['http:// is no address of a rule', 'http://cdn.example/a\n X: 1', '/a', null],
  ['nor any other scheme', 'ftp://cdn.example/a\n X: 1', '/a', null],
  ['a port in the host is refused', `${base}:443/a\n X: 1`, '/a', null],
  ['two stars in one line are refused', '/*/x/*\n X: 1', '/a/x/b', null],
  ['a star together with :splat is refused', '/:splat/*\n X: 1', '/a/b', null],
  ['a path is stored percent-encoded', '/a b\n X: 1', '/a%20b', '1'],
  ['a backtick too', '/a`b\n X: 1', '/a%60b', '1'],
  ['and braces', '/a{b}\n X: 1', '/a%7Bb%7D', '1'],
  ['its query is cut', '/a?x=1\n X: 1', '/a', '1'],
  ['its fragment is cut', '/a#x\n X: 1', '/a', '1'],
  ['a host without a path means its root', `${base}\n X: 1`, '/', '1'],
  ['what starts with two slashes is a path', '//cdn.example\n X: 1', `${base}//cdn.example`, '1'],
  ['below an invalid path nothing holds', '/a\n X: 1\nhttp://b\n X: 2', '/a', '1'],
  ['until the next path', 'http://b\n X: 2\n/a\n X: 1', '/a', '1'],
  ['! and a name unsets', '/a\n X: 1\n/*\n ! X', '/a', null],
  ['without a blank after it does not', '/*\n X: 1\n/a\n !X', '/a', '1'],
  ['the name ends at the first colon', '/a\n X: a:b', '/a', 'a:b'],
  ['name and value are trimmed', '/a\n  X  :   1  ', '/a', '1'],
  ['an empty value is invalid', '/a\n Y: 1\n X:', '/a', null],
  ['a blank in a name is invalid', '/a\n Y: 1\n X Y: 1', '/a', null],
  ['a header before any path is invalid', 'X: 1\n/a\n Y: 1', '/a', null],
  ['one name twice in a block is joined', '/a\n X: 1\n X: 2', '/a', '1, 2'],
  ['of two blocks for one path the later holds', '/a\n X: 1\n/a\n X: 2', '/a', '2'],
  ['whole', '/a\n X: 1\n/a\n Y: 2', '/a', null],
  ['and in the place of the earlier', '/a\n X: 1\n/*\n X: 2\n/a\n X: 3', '/a', '3, 2'],
  ['the query of a request is ignored', '/a\n X: 1', '/a?y=2', '1'],
  ['case matters', '/a\n X: 1', '/A', null],
  ['a slash at the end matters', '/a\n X: 1', '/a/', null],
  ['a host must be the one asked for', 'https://img.acme.example/*\n X: 1', '/a', null],
  ['all blocks that match apply, in order', '/*\n X: 1\n/a\n X: 2', '/a', '1, 2'],
  ['in each the unsets come first', '/*\n X: 1\n/a\n X: 2\n ! X', '/a', '2'],
  ['captures stand in values', '/:p/*\n X: :p and :splat', '/a/b/c', 'a and b/c'],
  ['each time they are named', '/:p\n X: :p:p', '/a', 'aa'],
  ['of names that begin the same the longest', '/:a/:ab\n X: :ab', '/1/2', '2'],
  ['placeholders stop at a slash', '/:p\n X: 1', '/a/b', null],
] as const)('_headers: %s', async (...row) => {
  const [, headers, address, expected] = row
  expect(await fieldOf(headers, address)).toBe(expected as string)
})

test.each([
  ['a 200', asset, {}, 200],
  ['a 206', asset, { headers: { Range: 'bytes=0-1' } }, 206],
  ['a 304', asset, { headers: { 'If-None-Match': '*' } }, 304],
  ['a 404', '/none', {}, 404],
  ['a 405', asset, { method: 'POST' }, 405],
  ['a 412', asset, { headers: { 'If-Match': '"x"' } }, 412],
  ['a 416', asset, { headers: { Range: 'bytes=99-' } }, 416],
  ['a redirect of a rule', '/old', {}, 302],
  ['a redirect of the edge', `/clients${asset}`, {}, 301],
] as const)('_headers: rules apply to %s', async (...row) => {
  const [, address, init, status] = row
  const files = { headers: '/*\n X: 1', redirects: '/old /new' }
  const answer = await ask(files, address, init)
  expect([answer.status, answer.headers.get('x')]).toEqual([status, '1'])
})

test.each([
  ['replaces a field of the server', 'Cache-Control: no-cache', 'cache-control', 'no-cache'],
  ['takes one away', '! ETag', 'etag', null],
  ['sets its type', 'Content-Type: text/x-own', 'content-type', 'text/x-own'],
] as const)('_headers: a rule %s', async (...row) => {
  const [, line, name, value] = row
  const { headers } = await ask({ headers: `/*\n ${line}` }, asset)
  expect(headers.get(name)).toBe(value)
})

test('_headers: a host is compared without scheme and port, and against the name as asked', async () => {
  const headers = 'https://IMG.acme.example/*\n X: 1'
  for (const origin of ['http://img.acme.example', 'https://img.acme.example:8443'])
    expect(await fieldOf(headers, `${origin}/v1/logos/a.png`)).toBe('1')
})

test('_headers: it is the address that was asked for, not the one it was rewritten to', async () => {
  const files = {
    headers: '/short\n X: asked\n/acme/*\n X: target',
    redirects: `/short ${asset} 200`,
  }
  expect((await ask(files, '/short')).headers.get('x')).toBe('asked')
})

test('_headers: on a 404 what rules say of caching does not count', async () => {
  const headers = '/*\n Cache-Control: public, max-age=60'
  expect((await ask({ headers }, '/none')).headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['302 where none is said', '/a /b', '/a', '302 /b'],
  ['301', '/a /b 301', '/a', '301 /b'],
  ['303', '/a /b 303', '/a', '303 /b'],
  ['307', '/a /b 307', '/a', '307 /b'],
  ['308', '/a /b 308', '/a', '308 /b'],
  ['200 shows the target', `/a ${asset} 200`, '/a', '200 picture a'],
  ['no other 3xx', '/a /b 300', '/a', '404'],
  ['no 5xx', '/a /b 503', '/a', '404'],
  ['an addition: ! after the code', '/a /b 301!', '/a', '301 /b'],
  ['an addition: 410 shows a page', '/a /acme/v1/pages/gone.html 410', '/a', '410 gone'],
] as const)('_redirects: code %s', async (...row) => {
  const [, redirects, address, expected] = row
  expect(await outcomeOf(redirects, address)).toBe(expected)
})

test.each([
  ['lines are trimmed', '  /a   /b  ', '/a', '302 /b'],
  ['empty lines and comments are skipped', '\n# c\n/a /b', '/a', '302 /b'],
  ['a comment may follow', '/a /b # c', '/a', '302 /b'],
  ['a # without a blank before belongs to the target', '/a /b#c', '/a', '302 /b#c'],
  ['one part is too few', '/a', '/a', '404'],
  ['four parts are too many', '/a /b 301 x', '/a', '404'],
  ['a source is no whole address', `${base}/a /b`, '/a', '404'],
  ['a slash that lacks is added', 'a /b', '/a', '302 /b'],
  ['query and fragment of the source are cut', '/a?x#y /b', '/a', '302 /b'],
  ['a target may be an address', '/a https://o.example/x', '/a', '302 https://o.example/x'],
  ['with any port', '/a https://o.example:8/x', '/a', '302 https://o.example:8/x'],
  ['but not by http', '/a http://o.example/x', '/a', '404'],
  ['and keeps query and fragment', '/a /b?x=1#y', '/a', '302 /b?x=1#y'],
  ['an endless loop is refused', '/* /index.html', '/a', '404'],
  ['with whatever code', '/x/* /index 301', '/x/a', '404'],
  [
    'a whole address does not loop',
    '/* https://o.example/index',
    '/a',
    '302 https://o.example/index',
  ],
  ['the first of two lines with one source wins', '/a /1\n/a /2', '/a', '302 /1'],
  ['200 stays on the site', '/a https://o.example/x 200', '/a', '404'],
  ['static lines go first', '/b /1\n/* /2', '/b', '302 /1'],
  ['after a dynamic line there is no static one', '/* /2\n/b /1', '/b', '302 /2'],
  ['dynamic lines go in file order', '/b/* /1\n/:x/c /2', '/b/c', '302 /1'],
  ['rules go before assets', `${asset} /b`, asset, `302 /b`],
  ['the target of a 200 is looked up as an asset alone', `/a /b 200\n/b ${asset} 200`, '/a', '404'],
  ['a star takes slashes', '/a/* /:splat', '/a/b/c', '302 /b/c'],
  ['and nothing', '/a/* /x', '/a/', '302 /x'],
  ['but not the slash before it', '/a/* /x', '/a', '404'],
  ['a star may end a word', '/part* /x', '/part', '302 /x'],
  ['a placeholder takes one segment', '/a/:x /:x', '/a/b', '302 /b'],
  ['not nothing', '/a/:x /y', '/a/', '404'],
  ['not a slash', '/a/:x /y', '/a/b/c', '404'],
  ['it may follow text', '/a_:x /:x', '/a_b', '302 /b'],
  ['it begins with a letter', '/:1 /x', '/a', '404'],
  ['no match across a slash at the end', '/a /x', '/a/', '404'],
  ['nor by another case', '/a /x', '/A', '404'],
  ['a placeholder that comes twice matches nothing', '/:x/:x /y', '/a/a', '404'],
  ['nor do two stars', '/*/x/* /y', '/a/x/b', '404'],
  ['the query goes along', '/a /b', '/a?x=1', '302 /b?x=1'],
  ['unless the target has its own', '/a /b?y=2', '/a?x=1', '302 /b?y=2'],
  ['before the fragment', '/a /b#c', '/a?x=1', '302 /b?x=1#c'],
  ['to another host too', '/a https://o.example/', '/a?x=1', '302 https://o.example/?x=1'],
  ['an address of the same origin is sent as a path', `/a ${base}/b`, '/a', '302 /b'],
  ['the query of a 200 is ignored', `/a ${asset}?x=1 200`, '/a', '200 picture a'],
  ['a 200 without an asset is the plain 404', '/a /none 200', '/a', '404'],
  ['no capture makes another host', '/r/* /:splat', '/r//o.example', '302 /o.example'],
  ['not by backslashes either', '/r/* /\\:splat', '/r/o.example', '302 /o.example'],
  [
    'where domains are proved nothing is redirected',
    '/* /x',
    '/.well-known/acme-challenge/t',
    '404',
  ],
  ['an addition: pairs of the query', '/a id=:id /b/:id', '/a?id=7', '302 /b/7?id=7'],
  ['all of which must be there', '/a id=:id x=1 /b', '/a?id=7', '404'],
  ['an addition: no target for what stays', '/acme/* 200\n/* /x', asset, '200 picture a'],
] as const)('_redirects: %s', async (...row) => {
  const [, redirects, address, expected] = row
  expect(await outcomeOf(redirects, address)).toBe(expected)
})

test.each([
  ['Country', '/a /b 302 Country=de,at', { 'x-country': 'AT' }, '302 /b'],
  ['another country', '/a /b 302 Country=de', { 'x-country': 'FR' }, '404'],
  ['Language', '/a /b Language=de', { 'accept-language': 'de-AT,en;q=0.5' }, '302 /b'],
  ['Cookie', '/a /b Cookie=beta', { cookie: 'beta=1' }, '302 /b'],
  ['no cookie', '/a /b Cookie=beta', {}, '404'],
] as const)('_redirects, an addition: %s', async (...row) => {
  const [, redirects, headers, expected] = row
  expect(await outcomeOf(redirects, '/a', { headers })).toBe(expected)
})

test.each(['GET', 'HEAD', 'POST', 'DELETE'])('_redirects answer %s', async (method) => {
  expect(await outcomeOf('/a /b', '/a', { method })).toBe('302 /b')
})

test('a method that is not possible is 405 where there is an asset, else 404', async () => {
  expect(await outcomeOf('/a /b', asset, { method: 'PUT' })).toBe('405')
  expect(await outcomeOf('/a /b', '/none', { method: 'PUT' })).toBe('404')
})

test.each([
  ['segments are decoded once', '/acme/v1/logos/%61.png', '307 /acme/v1/logos/a.png'],
  ['slashes collapse', '/acme//v1/logos///a.png', '307 /acme/v1/logos/a.png'],
  ['the query is kept', '/acme//v1/logos/a.png?x=1', '307 /acme/v1/logos/a.png?x=1'],
  ['a blank has one spelling', '/acme/v1/logos/a%20b.png', '200 picture a b'],
  ['an escape in a name is escaped again', '/acme/v1/logos/%252B.png', '200 picture %2B'],
  ['and is not found without', '/acme/v1/logos/%2B.png', '404'],
])('addresses: %s', async (_sentence, address, expected) => {
  expect(await outcomeOf('', address)).toBe(expected)
})

test.each([
  ['2,000 static lines', '_redirects', many(2002, (n) => `/${n} /x`), [2001, 2002], 2000],
  ['100 dynamic lines', '_redirects', many(102, (n) => `/${n}/* /x`), [101], 100],
  ['101 blocks', '_headers', many(103, (n) => `/${n}\n X: 1`), [203], 101],
] as const)('a file may have %s; each line lost is told', (...row) => {
  const [, file, content, lines, rules] = row
  const { errors, ruleCount } = checkRules(file, content)
  expect(errors.map(({ line }) => line)).toEqual([...lines])
  expect(ruleCount).toBe(rules)
})

test.each([
  [
    'an invalid target uses up a rule',
    '_redirects',
    `${many(100, (n) => `/${n}/* no`)}\n/a/* /x`,
    101,
  ],
  ['every dropped line is told', '_headers', 'X: 1\nhttp://a\n Y: 1\n/b\n:\n/c', 6],
])('%s', (...row) => {
  const [, file, content, count] = row
  expect(checkRules(file as '_headers', content).errors.length).toBe(count)
})

test.each([
  ['a line that is never reached', '_redirects', '/a/* /x\n/a/b/* /y', 2],
  ['a literal line that counts as dynamic', '_redirects', '/a/* /x\n/b /y', 2],
  ['two blocks for one path', '_headers', '/a\n X: 1\n/a\n X: 2', 1],
  ['two cookies in one block', '_headers', '/a\n Set-Cookie: a\n Set-Cookie: b', 1],
  ['a placeholder that the source lacks', '_redirects', '/a/:x /:y', 1],
  ['a circle of redirects', '_redirects', '/a /b\n/b /a', 1],
])('a warning is given of %s', (...row) => {
  const [, file, content, line] = row
  expect(checkRules(file as '_headers', content).warnings[0]?.line).toBe(line)
})
