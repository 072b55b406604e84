import { expect, test } from 'bun:test'

import { compileHeaderRules, type FieldList } from './header-rules.ts'

const own: FieldList = [
  ['ETag', '"own"'],
  ['Cache-Control', 'max-age=60'],
  ['Cache-Tag', 'all-assets'],
]
const apply = (content: string, path = '/a', hostname = 'cdn.example') =>
  compileHeaderRules(content).apply({ hostname, path }, own)
const after = (...request: Parameters<typeof apply>) => Object.fromEntries(apply(...request))

test('a name that no rule has set yet replaces the server’s own', () => {
  expect(after('/a\n Cache-Control: no-cache\n ETag: "mine"')).toMatchObject({
    'cache-control': 'no-cache',
    etag: '"mine"',
  })
})

test('a name that an earlier rule has set is added to', () => {
  expect(after('/*\n X: 1\n Cache-Control: a\n/a\n X: 2\n Cache-Control: b')).toMatchObject({
    x: '1, 2',
    'cache-control': 'a, b',
  })
})

test('within a block unsets come first, whatever the order of the lines', () => {
  expect(after('/a\n X: 2\n ! X\n! ETag')).toMatchObject({ x: '2' })
  expect(after('/a\n X: 2\n! ETag')).not.toHaveProperty('etag')
})

test('unset and set in a later block gives just the new value', () => {
  expect(
    after('/*\n Cache-Control: public\n/a\n ! Cache-Control\n Cache-Control: private'),
  ).toMatchObject({
    'cache-control': 'private',
  })
})

test('a later block with the same path takes the place of the earlier one', () => {
  const content = '/a\n X: first\n Y: 1\n/*\n X: middle\n/a\n X: last'
  expect(after(content)).toMatchObject({ x: 'last, middle' })
  expect(after(content)).not.toHaveProperty('y')
})

test('captures stand in values, every time they are named', () => {
  expect(after('/:b/*\n X: :b-:splat-:b', '/p/q/r')).toMatchObject({ x: 'p-q/r-p' })
})

test('the path is matched by case and without folding a trailing slash', () => {
  for (const path of ['/A', '/a/', '/a/b']) expect(after('/a\n X: 1', path)).not.toHaveProperty('x')
})

test('a rule with a host is for that host alone, by any scheme and port', () => {
  const content = 'https://img.example/*\n X: 1'
  expect(after(content, '/a', 'img.example')).toHaveProperty('x')
  expect(after(content, '/a', 'cdn.example')).not.toHaveProperty('x')
})

test('cookies are sent as separate lines', () => {
  const cookies = apply('/*\n Set-Cookie: a=1\n Set-Cookie: b=2\n/a\n Set-Cookie: c=3')
  expect(cookies.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
    'a=1',
    'b=2',
    'c=3',
  ])
})

test('surrogate tags are added to the asset’s own', () => {
  expect(after('/a\n Cache-Tag: mine,yours')).toMatchObject({
    'cache-tag': 'all-assets,mine,yours',
  })
})

test('without a matching block nothing changes but the case of the names', () => {
  expect(apply('/b\n X: 1')).toEqual(own.map(([name, value]) => [name.toLowerCase(), value]))
})
