import { expect, test } from 'bun:test'

import { Slots } from './slots.ts'

function open(count: number, maxWaiting = 10, maxWaitMs = 60_000) {
  const slots = new Slots(count)
  return {
    slots,
    take: (signal?: AbortSignal) =>
      slots.takeWithin({ maxWaiting, maxWaitMs, ...(signal && { signal }) }),
  }
}

test('who waits as long as it takes stands in the same line', async () => {
  const { slots, take } = open(1)
  const first = await slots.take()
  const order: string[] = []
  const patient = slots.take().then((slot) => (order.push('patient'), slot))
  const second = take().then((slot) => (order.push('second'), slot))
  first[Symbol.dispose]()
  ;(await patient)[Symbol.dispose]()
  ;(await second)?.[Symbol.dispose]()

  expect(order).toEqual(['patient', 'second'])
  expect(slots.taken).toBe(0)
})

test('whoever waits longest gets the room that comes free', async () => {
  const { slots, take } = open(1)
  const first = await take()
  const order: string[] = []
  const second = take().then((slot) => (order.push('second'), slot))
  const third = take().then((slot) => (order.push('third'), slot))
  first?.[Symbol.dispose]()
  ;(await second)?.[Symbol.dispose]()
  ;(await third)?.[Symbol.dispose]()

  expect(order).toEqual(['second', 'third'])
  expect(slots.taken).toBe(0)
})

test('where too many wait already, one more is sent away at once', async () => {
  const { take } = open(1, 1)
  await take()
  void take()

  expect(await take()).toBeUndefined()
})

test('nobody waits longer than said', async () => {
  const { take } = open(1, 10, 1)
  await take()

  expect(await take()).toBeUndefined()
})

test('room that comes free as somebody leaves the line goes to the next in line', async () => {
  const { slots, take } = open(1)
  const first = await take()
  const leaving = new AbortController()
  const second = take(leaving.signal)
  const third = take()
  leaving.abort()
  first?.[Symbol.dispose]()

  expect(await second).toBeUndefined()
  expect(await third).toBeDefined()
  expect(slots.taken).toBe(1)
})

test('giving a room back twice makes room once', async () => {
  const { slots, take } = open(2)
  const first = await take()
  await take()
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()

  expect(slots.taken).toBe(1)
})
