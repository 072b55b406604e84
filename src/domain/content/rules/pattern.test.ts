import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { compilePattern, substitute, type Pattern } from './pattern.ts'

function compile(source: string): Pattern {
  const compiled = compilePattern(source)
  if ('reason' in compiled) throw new Error(compiled.reason)
  return compiled.pattern
}

test.each([
  ['/a', '/a', {}],
  ['/a', '/a/', undefined],
  ['/a', '/A', undefined],
  ['/foo/*', '/foo/', { splat: '' }],
  ['/foo/*', '/foo/a/b', { splat: 'a/b' }],
  ['/foo/*', '/foo', undefined],
  ['/part*', '/part', { splat: '' }],
  ['/part*', '/partly/more', { splat: 'ly/more' }],
  ['/*', '/', { splat: '' }],
  ['/a/*/z', '/a/b/c/z', { splat: 'b/c' }],
  ['/a/*/z', '/a/z', undefined],
  ['/*.png', '/x/y.png.png', { splat: 'x/y.png' }],
  ['/:a', '/x', { a: 'x' }],
  ['/:a', '/', undefined],
  ['/:a', '/x/', undefined],
  ['/:a', '/x/y', undefined],
  ['/:a/:b', '/x/y', { a: 'x', b: 'y' }],
  ['/under_:y', '/under_2020', { y: '2020' }],
  ['/:a-:b', '/1-2-3', { a: '1-2', b: '3' }],
  ['/:a:b', '/xyz', { a: 'xy', b: 'z' }],
  ['/:a/*', '/x/y/z', { a: 'x', splat: 'y/z' }],
  ['/:a_1', '/x', { a_1: 'x' }],
  ['/:1', '/:1', {}],
  ['/a.c', '/abc', undefined],
  ['/(a|b)+', '/(a|b)+', {}],
  ['https://:sub.example.com/*', 'https://img.example.com/x', { sub: 'img', splat: 'x' }],
  ['https://:sub.example.com/*', 'https://a.b.example.com/x', undefined],
  ['https://*.example.com/', 'https://a.b.example.com/', { splat: 'a.b' }],
  ['https://example.com/:x', 'https://example.com/y', { x: 'y' }],
] as const)('%p on %p gives %p', (source, text, captures) => {
  expect(compile(source).match(text)).toEqual(captures as Record<string, string>)
})

test.each([['/*/*'], ['/:a/:a'], ['/*/:splat']])(
  '%p could never match and is refused',
  (source) => {
    expect(compilePattern(source)).toHaveProperty('reason')
  },
)

test.each([
  [':a', { a: '1' }, '1'],
  [':a:a-:a', { a: '1' }, '11-1'],
  [':names', { name: 'x' }, 'xs'],
  [':names', { name: 'x', names: 'y' }, 'y'],
  [':none', { a: '1' }, ':none'],
  ['http://x:80/:splat', { splat: 'y' }, 'http://x:80/y'],
] as const)('%p with %p becomes %p', (template, captures, result) => {
  expect(substitute(template, captures)).toBe(result)
})

/** The reference: what a backtracking regular expression finds. */
function byRegExp(source: string, text: string): Record<string, string> | undefined {
  const escaped = source.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&')
  const body = escaped
    .replace('*', '(?<splat>.*)')
    .replaceAll(/(?<!\?<?):(?<name>[A-Za-z]\w*)/gu, '(?<$<name>>[^/]+)')
  const match = new RegExp(`^${body}$`, 'u').exec(text)
  return match === null ? undefined : { ...match.groups }
}

test('it finds what a backtracking matcher finds', () => {
  const piece = fc.constantFrom('/', 'a', 'b', '-', '/a', '.', '*', ':x', ':y')
  const source = fc
    .array(piece, { maxLength: 8 })
    .map(
      (pieces) =>
        `/${pieces.filter((each, at) => !/[*:]/u.test(each) || pieces.indexOf(each) === at).join('')}`,
    )
    .filter((text) => !/:[xy][ab]/u.test(text))
  const text = fc
    .array(fc.constantFrom('/', 'a', 'b', '-', '.'), { maxLength: 14 })
    .map((all) => `/${all.join('')}`)
  fc.assert(
    fc.property(source, text, (pattern, path) => {
      expect(compile(pattern).match(path)).toEqual(
        byRegExp(pattern, path) as Record<string, string>,
      )
    }),
    { numRuns: 3000 },
  )
})

test('a pattern made to be slow is not', () => {
  const source = `/${Array.from({ length: 60 }, (_, index) => `:p${index}-`).join('')}x`
  const start = performance.now()
  expect(compile(source).match(`/${'a-'.repeat(4000)}`)).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(2000)
})
