import { expect, test } from 'bun:test'

import { BoundedSlots } from './bounded-slots.ts'

const open = (count: number, maxWaiting = 10, maxWaitMs = 60_000) =>
  new BoundedSlots({ count, maxWaiting, maxWaitMs })

test('whoever waits longest gets the room that comes free', async () => {
  const slots = open(1)
  const first = await slots.take()
  const order: string[] = []
  const second = slots.take().then((slot) => (order.push('second'), slot))
  const third = slots.take().then((slot) => (order.push('third'), slot))
  first?.[Symbol.dispose]()
  ;(await second)?.[Symbol.dispose]()
  ;(await third)?.[Symbol.dispose]()

  expect(order).toEqual(['second', 'third'])
  expect(slots.taken).toBe(0)
})

test('where too many wait already, one more is sent away at once', async () => {
  const slots = open(1, 1)
  await slots.take()
  void slots.take()

  expect(await slots.take()).toBeUndefined()
})

test('nobody waits longer than said', async () => {
  const slots = open(1, 10, 1)
  await slots.take()

  expect(await slots.take()).toBeUndefined()
})

test('room that comes free as somebody leaves the line goes to the next in line', async () => {
  const slots = open(1)
  const first = await slots.take()
  const leaving = new AbortController()
  const second = slots.take(leaving.signal)
  const third = slots.take()
  leaving.abort()
  first?.[Symbol.dispose]()

  expect(await second).toBeUndefined()
  expect(await third).toBeDefined()
  expect(slots.taken).toBe(1)
})

test('giving a room back twice makes room once', async () => {
  const slots = open(2)
  const first = await slots.take()
  await slots.take()
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()

  expect(slots.taken).toBe(1)
})
