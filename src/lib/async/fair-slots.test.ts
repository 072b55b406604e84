import { expect, test } from 'bun:test'

import { FairSlots } from './fair-slots.ts'

const patience = { maxWaiting: 8, maxWaitMs: 20 }
const enter = async (slots: FairSlots, ...keys: readonly string[]) => {
  const room = await slots.enter(keys)
  return typeof room === 'string' ? room : 'in'
}

test('one key leaves room for the others', async () => {
  const slots = new FairSlots({ ofAll: 3, ofEach: 2, ...patience })
  const first = await slots.enter(['a'])
  expect(await enter(slots, 'a')).toBe('in')
  expect(await enter(slots, 'a')).toBe('full for a key')
  expect(await enter(slots, 'b', 'a')).toBe('full for a key')
  expect(await enter(slots, 'b')).toBe('in')
  expect(await enter(slots, 'c')).toBe('full for all')
  if (typeof first !== 'string') first[Symbol.dispose]()
  expect(await enter(slots, 'c', 'a')).toBe('in')
})

test('who waits comes in once there is room, and who has left waits no more', async () => {
  const slots = new FairSlots({ ofAll: 1, ofEach: 1, maxWaiting: 8, maxWaitMs: 10_000 })
  const first = await slots.enter(['a'])
  const leaving = new AbortController()
  const gone = slots.enter(['a'], leaving.signal)
  const waiting = slots.enter(['a', 'b'])
  leaving.abort()
  expect(await gone).toBe('full for a key')
  if (typeof first !== 'string') first[Symbol.dispose]()
  expect(typeof (await waiting)).toBe('object')
})
