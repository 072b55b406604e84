import { expect, test } from 'bun:test'

import { LruCache, rememberRecent } from './lru-cache.ts'

const setUp = () => new LruCache<string>({ maxWeight: 6, weigh: (value) => value.length })

test('the least recently used goes when the weight is reached', () => {
  const cache = setUp()
  cache.set('a', 'xx')
  cache.set('b', 'xx')
  cache.set('c', 'xx')
  cache.get('a')
  cache.set('d', 'xx')

  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['xx', undefined, 'xx', 'xx'])
  expect(cache.weight).toBe(6)
})

test('a value that is replaced or taken away weighs nothing any more', () => {
  const cache = setUp()
  cache.set('a', 'xxxx')
  cache.set('a', 'x')
  cache.set('b', 'xx')
  cache.delete('b')

  expect(cache.weight).toBe(1)
})

test('a value heavier than the whole cache is not kept', () => {
  const cache = setUp()
  cache.set('a', 'xxxxxxx')

  expect(cache.get('a')).toBeUndefined()
  expect(cache.weight).toBe(0)
})

test('the same text is computed once, and no more than so many answers are kept', () => {
  const asked: string[] = []
  const remember = rememberRecent((text: string) => {
    asked.push(text)
    return text.length
  }, 2)

  expect(['a', 'bb', 'a', 'ccc', 'bb', 'a'].map(remember)).toEqual([1, 2, 1, 3, 2, 1])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})
