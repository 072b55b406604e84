import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createS3FifoCache } from './s3-fifo-cache.ts'

test('what is set can be got until it is deleted', () => {
  const cache = createS3FifoCache<number>(1000)
  cache.set('a', 1, 10)
  expect(cache.get('a')).toBe(1)
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
  expect(cache.sizeBytes).toBe(0)
})

test('setting a key again replaces its value and its size', () => {
  const cache = createS3FifoCache<number>(1000)
  cache.set('a', 1, 10)
  cache.set('a', 2, 20)
  expect(cache.get('a')).toBe(2)
  expect(cache.sizeBytes).toBe(20)
})

test('what is in use survives one pass over ten times the room', () => {
  const cache = createS3FifoCache<number>(1000)
  for (let round = 0; round < 2; round += 1)
    for (let hot = 0; hot < 50; hot += 1) {
      if (cache.get(`hot ${hot}`) === undefined) cache.set(`hot ${hot}`, hot, 10)
      cache.get(`hot ${hot}`)
    }
  for (let cold = 0; cold < 1000; cold += 1) cache.set(`cold ${cold}`, cold, 10)

  const kept = Array.from({ length: 50 }, (_, hot) => cache.get(`hot ${hot}`)).filter(
    (value) => value !== undefined,
  )
  expect(kept.length).toBe(50)
})

test('a key that comes back soon after it was evicted is kept', () => {
  const cache = createS3FifoCache<string>(100)
  for (let other = 0; other < 30; other += 1) cache.set(`${other}`, 'x', 10)
  expect(cache.get('0')).toBeUndefined()
  cache.set('0', 'again', 10)
  for (let other = 100; other < 105; other += 1) cache.set(`${other}`, 'x', 10)
  expect(cache.get('0')).toBe('again')
})

test('an item larger than the probation part is not kept, and its old value is gone', () => {
  const cache = createS3FifoCache<number>(1000)
  cache.set('a', 1, 10)
  cache.set('a', 2, 101)
  expect(cache.get('a')).toBeUndefined()
})

test('what has to go is told of, with whether it had been used again', () => {
  const evicted: string[] = []
  const cache = createS3FifoCache<number>(100, (key, _value, wasUsedAgain) => {
    evicted.push(`${key} ${wasUsedAgain}`)
  })
  cache.set('used', 1, 10)
  cache.get('used')
  for (let key = 0; key < 11; key += 1) cache.set(`once${key}`, key, 10)
  expect(evicted).toEqual(['once0 false', 'once1 false'])

  cache.delete('used')
  cache.set('once10', 0, 10)
  expect(evicted).toHaveLength(2)
})

test('the weight never passes the bound and is always the sum of what can be got', () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 30 }).map(String),
    size: fc.integer({ min: 0, max: 40 }),
    act: fc.constantFrom('set', 'get', 'delete'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const cache = createS3FifoCache<number>(300)
      for (const { key, size, act } of steps) {
        if (act === 'set') cache.set(key, size, size)
        else if (act === 'get') cache.get(key)
        else cache.delete(key)
        expect(cache.sizeBytes).toBeLessThanOrEqual(300)
      }
      const sum = Array.from({ length: 31 }, (_, key) => cache.get(String(key)) ?? 0)
      expect(sum.reduce((total, size) => total + size, 0)).toBe(cache.sizeBytes)
    }),
  )
})

test('a cache that has less room from now on lets go of what is too much', () => {
  const cache = createS3FifoCache<string>(1000)
  for (let at = 0; at < 20; at += 1) cache.set(`n${at}`, 'value', 50)
  cache.resize(400)
  expect(cache.sizeBytes).toBeLessThanOrEqual(400)
  expect(cache.get('n19')).toBe('value')
})
