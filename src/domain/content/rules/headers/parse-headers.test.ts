import { expect, test } from 'bun:test'

import { checkRules } from '../check-rules.ts'
import { parseHeaders } from './parse-headers.ts'

const blocksOf = (content: string) =>
  parseHeaders(content).blocks.map(({ pattern, set, unset }) => ({
    path: pattern.source,
    set: Object.fromEntries([...set].map(([name, values]) => [name, values.join(', ')])),
    unset,
  }))
const complaints = (content: string) =>
  parseHeaders(content).diagnostics.map(({ line, text }) => [line, text])

test('indentation means nothing, and empty lines and comments are skipped anywhere', () => {
  expect(blocksOf('\n  # hello\n   /a\nX: 1\n\n#\n        Y: 2\n/b\n Z: 3')).toEqual([
    { path: '/a', set: { x: '1', y: '2' }, unset: [] },
    { path: '/b', set: { z: '3' }, unset: [] },
  ])
})

test('lines may end in CR LF', () => {
  expect(blocksOf('/a\r\n  X: 1\r\n')).toEqual([{ path: '/a', set: { x: '1' }, unset: [] }])
})

test.each([
  ['/some page with spaces', '/some%20page%20with%20spaces'],
  ['/some%20page', '/some%20page'],
  ['/://so;`me', '/://so;%60me'],
  ['/nons:/&@%+~{}ense', '/nons:/&@%+~%7B%7Dense'],
  ['/é', '/%C3%A9'],
  ['/a?x=1#y', '/a'],
  ['/a/../b', '/b'],
  ['https://yeah.com', 'https://yeah.com/'],
  ['https://yeah.com/blog?x', 'https://yeah.com/blog'],
  ['https://YEAH.com/Blog', 'https://yeah.com/Blog'],
  ['//yeah.com/blog', '//yeah.com/blog'],
  ['/yeah.com', '/yeah.com'],
])('the path line %p is stored as %p', (line, path) => {
  expect(blocksOf(`${line}\n  x: 1`)).toEqual([{ path, set: { x: '1' }, unset: [] }])
})

test.each([
  ['http://nah.com/blog'],
  ['ftp://nah.com/blog'],
  ['https://nah.com:8080'],
  ['https://nah.com:8080/blog'],
  ['https://*.pages.dev/*'],
  ['/a/*/b/*'],
  ['https://*.pages.dev/:splat'],
  ['/:a/:a'],
])('the path line %p is invalid, and what stands below it belongs to no path', (line) => {
  const content = `/ok\n x: 1\n${line}\n y: 2\n/also\n z: 3`
  expect(complaints(content)).toEqual([
    [3, line],
    [4, 'y: 2'],
  ])
  expect(blocksOf(content).map(({ path }) => path)).toEqual(['/ok', '/also'])
})

test.each([
  ['Name: Value', { name: 'Value' }, []],
  ['Name:Value', { name: 'Value' }, []],
  ['Name :   Value  ', { name: 'Value' }, []],
  ['NAME: a: b', { name: 'a: b' }, []],
  ["But: I'm okay!", { but: "I'm okay!" }, []],
  ['! Name', {}, ['name']],
  ['!Name: v', { '!name': 'v' }, []],
])('the header line %p is read', (line, set, unset) => {
  expect(blocksOf(`/a\n${line}`)).toEqual([{ path: '/a', set, unset }])
})

test.each([
  ['Name'],
  ["I'm invalid!"],
  ['!x-content-type'],
  ['nah.com'],
  ['! Content-Type: application/json'],
  ['Na me: v'],
  [':'],
  [': v'],
  ['test:'],
  ['Nàme: v'],
  ['Na(me): v'],
  ['Name: 漢字'],
  ['Name: a\u0000b'],
  ['Content-Length: 5'],
  ['Transfer-Encoding: chunked'],
  ['Connection: close'],
])('the header line %p is invalid', (line) => {
  expect(complaints(`/a\n  ok: 1\n${line}`)).toEqual([[3, line]])
})

test('a header before any path is invalid', () => {
  expect(complaints('c\nAccess-Control-Allow-Origin: *\n/a\nx: 1')).toEqual([
    [1, 'c'],
    [2, 'Access-Control-Allow-Origin: *'],
  ])
})

test('the same name twice in one block is joined by a comma', () => {
  expect(blocksOf('/a\n X: 1\n x: 2')).toEqual([{ path: '/a', set: { x: '1, 2' }, unset: [] }])
})

test('a block with neither header nor unset is dropped', () => {
  expect(complaints('/a\n/b\n x: 1\n/c')).toEqual([
    [1, '/a'],
    [4, '/c'],
  ])
})

test('two blocks with one path are both in the parse result, with a warning', () => {
  const content = '/a\n x: 1\n/b\n y: 1\n/a\n x: 2'
  expect(blocksOf(content).map(({ path }) => path)).toEqual(['/a', '/b', '/a'])
  expect(checkRules('_headers', content).warnings).toMatchObject([{ line: 1, text: '/a' }])
})

test('101 blocks get through, and the complaint counts what is lost', () => {
  const content = Array.from({ length: 150 }, (_, index) => `/a/${index}\nx-index: ${index}`).join(
    '\n',
  )
  const { blocks, diagnostics } = parseHeaders(content)
  expect(blocks.length).toBe(101)
  expect(diagnostics).toMatchObject([{ line: 203, severity: 'never-takes-effect' }])
  expect(diagnostics[0]?.reason).toContain('98 lines')
})

test('a line of more than 2,000 characters is dropped unless it is a comment', () => {
  const long = `/a\n x: 1\n#${'#'.repeat(3000)}\n y: ${'b'.repeat(2000)}\n z: 2`
  expect(blocksOf(long)).toEqual([{ path: '/a', set: { x: '1', z: '2' }, unset: [] }])
  expect(parseHeaders(long).diagnostics).toMatchObject([{ line: 4 }])
})

test('every complaint has a line number, the text and a reason, in file order', () => {
  const { errors } = checkRules('_headers', 'c\n/a\n:\nx: 1\nhttp://b\ny: 1')
  expect(errors.map(({ line }) => line)).toEqual([1, 3, 5, 6])
  for (const { reason } of errors) expect(reason.length).toBeGreaterThan(10)
})

test.each([
  ['/a/*\n Link: </x/:splat>\n X: :name', 1],
  ['/a\n X: :splat', 1],
  ['/a\n X: a:b', 0],
  ['/a/:name\n X: :names', 0],
  ['/a\n Set-Cookie: a=1\n Set-Cookie: b=2', 1],
  ['/a\n X: 1\n X: 2', 1],
  ['/a\n X-Sanitize: svg', 0],
  ['/a\n X-Sanitize: svg, html', 1],
])('%p has %p warnings and no error', (content, count) => {
  const { errors, warnings } = checkRules('_headers', content)
  expect([errors.length, warnings.length]).toEqual([0, count])
})
