import { expect, test } from 'bun:test'

import { readNamedPath } from './named-path.ts'
import { createNamedTransforms } from './named-transforms.ts'
import { checkTransforms, parseTransforms } from './parse-transforms.ts'

const reasonsIn = (content: string) =>
  checkTransforms(content).errors.map(({ line, reason }) => `${line} ${reason}`)

test('a line is a name and parameters, with comments and blank lines between', () => {
  const { transformByName, diagnostics } = parseTransforms(
    '# cards\n\ncard  w=400 h=300\tfit=cover&q=70  # the usual\nmark overlay=/acme/v1/my%20mark.svg@southeast,20\n',
  )
  const found = [...transformByName.values()].map(({ name, line, parameters }) => [
    name,
    line,
    Object.fromEntries(parameters),
  ])

  expect(diagnostics).toEqual([])
  expect(found).toEqual([
    ['card', 3, { w: '400', h: '300', fit: 'cover', q: '70' }],
    ['mark', 4, { overlay: '/acme/v1/my mark.svg@southeast,20' }],
  ])
})

test.each([
  ['Card w=1', '1 has the name "Card"; a name is a letter'],
  ['2x w=1', '1 has the name "2x"'],
  [`${'a'.repeat(41)} w=1`, '1 has the name "aaa'],
  ['card', '1 has a name and no parameters'],
  ['card w', '1 has "w", which is not written name=value'],
  ['card w=1 =2', '1 has "=2", which is not written name=value'],
  ['card width=400', '1 has the parameter "width", which no transform has'],
  ['card url=/acme/v1/a.png', '1 has the parameter "url", which no transform has'],
  ['card w=0', '1 cannot be made: w must be an integer from 1 to 8192'],
  ['card w=1 w=2', '1 cannot be made: w must be given at most once'],
  ['card crop=0,0,9,9 trim=10', '1 cannot be made: trim must not come with crop'],
  ['card t=card', '1 refers to itself'],
  ['card t=wide', '1 refers to another named transform'],
  ['ok w=1\nok w=2', '2 has the same name as an earlier line, which wins'],
  [`card w=1 ${'x'.repeat(2000)}`, '1 is 2009 characters long'],
])('%s is refused by its line', (content, reason) => {
  const [first = '', ...others] = reasonsIn(content)

  expect(first).toStartWith(reason)
  expect(others).toEqual([])
})

test('lines that have no effect leave the others as they are, and there is an end to them', () => {
  const { transformByName, diagnostics } = parseTransforms('a w=1\nb w=x\nc w=3\n')
  const many = Array.from({ length: 202 }, (_, index) => `n${index} w=1`).join('\n')

  expect([...transformByName.keys()]).toEqual(['a', 'c'])
  expect(diagnostics.map(({ line }) => line)).toEqual([2])
  expect(checkTransforms(many).ruleCount).toBe(200)
  expect(reasonsIn(many)).toHaveLength(2)
})

const named = createNamedTransforms({
  zone: (name) =>
    name === 'acme'
      ? ({ transforms: 'card w=100 q=50\n' } as ReturnType<typeof zoneOf>)
      : undefined,
  ruleFile: (file) => (file === '_transforms' ? 'card w=400 h=300\nwide w=1600\n' : undefined),
})
declare function zoneOf(): NonNullable<
  ReturnType<Parameters<typeof createNamedTransforms>[0]['zone']>
>

const read = (query: string, zone: string) =>
  named.read(new URLSearchParams(query), zone).query.toString()

test('a name of the zone goes before that of all, and on its own images alone', () => {
  expect(read('t=card', 'acme')).toBe('w=100&q=50')
  expect(read('t=card', 'other')).toBe('w=400&h=300')
  expect(read('t=wide', 'acme')).toBe('w=1600')
})

test('what is asked for besides the name goes before what it says', () => {
  expect(read('t=card&w=20&format=png', 'other')).toBe('h=300&w=20&format=png')
  expect(read('t=card&t=2.5', 'other')).toBe('w=400&h=300&t=2.5')
  expect(read('t=2.5&w=1', 'other')).toBe('t=2.5&w=1')
})

test.each(['t=none', 't=', 't=Card', 't=card&t=wide', `t=${'a'.repeat(1000)}`])(
  '%s names nothing',
  (query) => {
    expect(() => read(query, 'acme')).toThrow(/^t must /u)
  },
)

test('the end of a path is a name and a format', () => {
  expect(readNamedPath('acme/v1/a.jpg/card.avif')).toEqual({
    asset: 'acme/v1/a.jpg',
    name: 'card',
    format: 'avif',
  })
  expect(readNamedPath('@1a2b3c4/acme/v1/b/a.b.jpg/card-2.jpg')?.asset).toBe(
    '@1a2b3c4/acme/v1/b/a.b.jpg',
  )
  for (const path of ['', 'card.avif', 'acme/v1/a.jpg/card', 'acme/v1/a.jpg/card.auto'])
    expect(readNamedPath(path)).toBeUndefined()
  for (const path of ['acme/v1/a.jpg/Card.avif', 'acme/v1/a.jpg/card.css', 'acme/v1/a/card.avif'])
    expect(readNamedPath(path)).toBeUndefined()
})
