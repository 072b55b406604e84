import { expect, test } from 'bun:test'

import { allOperations } from '../../planes/operations.ts'
import { cacheKeyOf } from './cache-key.ts'
import { deliveryKeyOf, parametersByPath, unknownParameters } from './delivery-key.ts'

const key = (rest: string) =>
  deliveryKeyOf(`http://a.example${rest}`).slice('http://a.example'.length)

test.each([
  ['/api/stream?path=a&segment=1&v=f&k=1', '/api/stream?path=a&segment=1&v=f'],
  ['/api/stream?k=1&path=a&k=2', '/api/stream?path=a'],
  ['/api/transform?url=/a/v1/b.jpg&w=1&utm_source=x', '/api/transform?url=/a/v1/b.jpg&w=1'],
  ['/api/transform?url=a&flip=h&k=1', '/api/transform?url=a&flip=h'],
  ['/api/auto/a/v1/b?x', '/api/auto/a/v1/b'],
  ['/api/auto?path=a&&=&x=1', '/api/auto?path=a'],
  // The same names, however they are spelled: what is read must be in the key.
  ['/api/transform?url=a&%77=300', '/api/transform?url=a&w=300'],
  ['/api/transform?url=a&w=1&w=2', '/api/transform?url=a&w=1&w=2'],
  ['/api/transform?url=a&%E2%80%A8=1&a+b=2&%zz=3', '/api/transform?url=a'],
])('the key of %s is %s', (address, expected) => {
  expect(key(address)).toBe(expected)
})

test.each(['/api/signed?path=a&x=1', '/z/v1/a.css?x=1', '/api/streams?x=1', '/api/automatic?x=1'])(
  'the key of %s is left alone',
  (address) => {
    expect(key(address)).toBe(cacheKeyOf(address))
  },
)

test('the parameters are those that the operations describe', () => {
  const described = allOperations
    .filter(
      ({ path, method }) =>
        method === 'get' &&
        /^\/(?:api\/(?:transform|auto|picture|stream(?:\/thumbnails)?)|iiif\/3\/\{path\})$/u.test(
          path,
        ),
    )
    .map(
      ({ path, query }) => [path.replace('/{path}', ''), Object.keys(query?.shape ?? {})] as const,
    )
  expect(described.map(([path]) => path).toSorted()).toEqual(
    Object.keys(parametersByPath).toSorted(),
  )
  for (const [path, names] of described)
    expect([path, names.filter((name) => parametersByPath[path]?.has(name) !== true)]).toEqual([
      path,
      [],
    ])
  const transform = described.find(([path]) => path === '/api/transform')
  expect([...(parametersByPath['/api/transform'] ?? [])].toSorted()).toEqual(
    [...(transform?.[1] ?? [])].toSorted(),
  )
})

for (const [query, names] of [
  ['url=a&w=1', []],
  ['url=a&widht=1&quality=50', ['widht', 'quality']],
  ['url=a&%77=1&&=', []],
  ['url=a&utm_source=x&<script>=1&x%0d%0a=1', ['utm_source']],
  [`url=a&${'z'.repeat(40)}=1`, []],
  ['a=1&b=1&c=1&d=1&e=1&f=1', ['a', 'b', 'c', 'd', 'e']],
] as const)
  test(`of ${query.slice(0, 40)} nobody knows ${names.join(', ') || 'none'}`, () => {
    expect(unknownParameters(`https://host/api/transform?${query}`)).toEqual([...names])
    expect(unknownParameters(`https://host/api/stream?${query}`)).toEqual([])
  })
