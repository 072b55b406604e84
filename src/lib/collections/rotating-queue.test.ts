import { expect, test } from 'bun:test'

import { RotatingQueue } from './rotating-queue.ts'

function queueOf(...entries: readonly (readonly [group: string, key: string])[]) {
  const queue = new RotatingQueue<string>()
  for (const [group, key] of entries) queue.put(group, key, `${group}/${key}`)
  return queue
}

const takeAll = (queue: RotatingQueue<string>): readonly (string | undefined)[] =>
  Array.from({ length: queue.size }, () => queue.take())

test('groups have their turn one after another, each with its oldest', () => {
  const queue = queueOf(['a', '1'], ['a', '2'], ['a', '3'], ['b', '1'], ['c', '1'], ['b', '2'])

  expect(queue.size).toBe(6)
  expect(takeAll(queue)).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3'])
  expect(queue.take()).toBeUndefined()
  expect([queue.size, queue.groupCount]).toEqual([0, 0])
})

test('a group that comes while others wait is not behind all of theirs', () => {
  const queue = queueOf(['a', '1'], ['a', '2'], ['a', '3'])
  expect(queue.take()).toBe('a/1')
  queue.put('b', '1', 'b/1')

  expect(takeAll(queue)).toEqual(['a/2', 'b/1', 'a/3'])
})

test('what waits already is replaced where it is', () => {
  const queue = queueOf(['a', '1'], ['a', '2'])
  queue.put('a', '1', 'newer')

  expect(queue.sizeOf('a')).toBe(2)
  expect(takeAll(queue)).toEqual(['newer', 'a/2'])
})

test('the oldest goes of who has most', () => {
  const queue = queueOf(['a', '1'], ['b', '1'], ['b', '2'])

  expect(queue.takeFromLargest()).toBe('b/1')
  expect(queue.sizeOf('b')).toBe(1)
  expect(takeAll(queue)).toEqual(['a/1', 'b/2'])
  expect(queue.takeFromLargest()).toBeUndefined()
})
