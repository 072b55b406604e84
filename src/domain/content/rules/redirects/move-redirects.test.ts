import { expect, test } from 'bun:test'

import type { AssetPath } from '../../asset-path.ts'
import { type MovedPath, withMoveRedirects } from './move-redirects.ts'
import { compileRedirectRules } from './redirect-rules.ts'

const move = (from: string, to: string, isDirectory = false): MovedPath => ({
  from: from as AssetPath,
  to: to as AssetPath,
  isDirectory,
})

const moved = (content: string, ...moves: readonly MovedPath[]) =>
  withMoveRedirects(
    content,
    moves,
    moves.filter(({ isDirectory }) => !isDirectory).map(({ to }) => to),
  )

/** Where a client ends up, following rules as it does. */
function follow(content: string, path: string): string {
  const rules = compileRedirectRules(content)
  let at = path
  for (let hop = 0; hop < 10; hop += 1) {
    const { action } = rules.decide({
      path: at,
      hostname: 'cdn.example',
      origin: 'https://cdn.example',
      query: '',
      client: { country: () => undefined, languages: () => null, cookies: () => null },
    })
    if (action?.kind !== 'redirect') return at
    expect(action.status).toBe(301)
    at = new URL(action.location, 'https://cdn.example').pathname
  }
  return 'nowhere: it never ends'
}

test('a moved file is found at its former URL, however a client writes it', () => {
  const rules = moved('', move('acme/v1/logos/a b+c:d*é.svg', 'acme/v1/icons/ü #1.svg'))

  for (const asked of ['a b+c:d*é.svg'])
    for (const spelt of [encodeURIComponent(asked).replace('*', '%2A'), 'a%20b+c%3Ad%2A%C3%A9.svg'])
      expect(follow(rules, `/acme/v1/logos/${spelt}`)).toBe('/acme/v1/icons/%C3%BC%20%231.svg')
})

test('a directory has one rule for all that was below it', () => {
  const rules = moved('', move('acme/v1/logos', 'bolt/v1/brand', true))

  expect(rules).toBe('/acme/v1/logos/* /bolt/v1/brand/:splat 301\n')
  expect(follow(rules, '/acme/v1/logos/deep/a.svg')).toBe('/bolt/v1/brand/deep/a.svg')
  expect(follow(rules, '/acme/v1/logos2/a.svg')).toBe('/acme/v1/logos2/a.svg')
})

test('what is in the file stays as it is, and static rules stay before the others', () => {
  const before = '# ours\n/a  /b 302\n\n/old/* /acme/v1/archive/:splat 301\n/c /d\n'
  const rules = moved(
    before,
    move('acme/v1/logos/a.svg', 'acme/v1/icons/a.svg'),
    move('acme/v1/banners', 'acme/v1/heroes', true),
  )

  expect(rules.split('\n')).toEqual([
    '/acme/v1/logos/a.svg /acme/v1/icons/a.svg 301',
    '# ours',
    '/a  /b 302',
    '',
    '/acme/v1/banners/* /acme/v1/heroes/:splat 301',
    '/old/* /acme/v1/archive/:splat 301',
    '/c /d',
    '',
  ])
})

test('what is moved there and back again is never sent round in circles', () => {
  const there = moved('', move('acme/v1/a', 'acme/v1/b', true))
  const back = moved(there, move('acme/v1/b', 'acme/v1/a', true))
  expect(back).toBe('/acme/v1/b/* /acme/v1/a/:splat 301\n')
  const file = moved('', move('acme/v1/x/a.svg', 'acme/v1/x/b.svg'))
  const fileBack = moved(file, move('acme/v1/x/b.svg', 'acme/v1/x/a.svg'))

  expect(fileBack).toBe('/acme/v1/x/b.svg /acme/v1/x/a.svg 301\n')
  expect(follow(fileBack, '/acme/v1/x/b.svg')).toBe('/acme/v1/x/a.svg')
})

test('a file that comes to where a rule leads away from is not hidden by it', () => {
  const out = moved('', move('acme/v1/logos/a.svg', 'acme/v1/old/a.svg'))
  const rules = withMoveRedirects(
    out,
    [move('acme/v1/new', 'acme/v1/logos', true)],
    ['acme/v1/logos/a.svg' as AssetPath],
  )

  expect(follow(rules, '/acme/v1/logos/a.svg')).toBe('/acme/v1/logos/a.svg')
})

test('a rule that asks about the client, or has another status, stays', () => {
  const before = '/acme/v1/b /acme/v1/c 302\n/acme/v1/b /acme/v1/d 301 Country=CH\n'

  expect(moved(before, move('acme/v1/a', 'acme/v1/b'))).toBe(`/acme/v1/a /acme/v1/b 301\n${before}`)
})

test('what was never public gets no rule', () => {
  expect(moved('', move('acme/v1/private/a', 'acme/v1/logos/a'))).toBe('')
  expect(moved('', move('acme/v1/logos/a', 'acme/v1/private/a'))).toBe('')
})

test('a file that is full refuses, and is not cut', () => {
  const dynamic = Array.from({ length: 100 }, (_, index) => `/x${index}/* /y/:splat 301`).join('\n')
  const large = `# ${'x'.repeat(99_990)}`

  expect(() => moved(dynamic, move('acme/v1/a', 'acme/v1/b', true))).toThrow('no room')
  expect(() => moved(large, move('acme/v1/a', 'acme/v1/b'))).toThrow('no room')
})
