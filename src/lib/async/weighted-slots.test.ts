import { expect, test } from 'bun:test'

import { WeightedSlots } from './weighted-slots.ts'

/** Who is in, in the order of entering. */
function house(capacity: number) {
  const slots = new WeightedSlots(capacity)
  const entered: string[] = []
  const enter = async (name: string, weight: number) => {
    const room = await slots.take(weight)
    entered.push(name)
    return room
  }
  return { entered, enter }
}

test('as many are in as weigh no more than all may, and who asked first is first', async () => {
  const { entered, enter } = house(10)
  const first = await enter('first', 6)
  const heavy = enter('heavy', 8)
  const light = enter('light', 1)
  await Bun.sleep(0)
  expect(entered).toEqual(['first'])

  first[Symbol.dispose]()
  const room = await heavy
  await light
  expect(entered).toEqual(['first', 'heavy', 'light'])
  room[Symbol.dispose]()
})

test('who weighs more than all may is let in alone', async () => {
  const { entered, enter } = house(10)
  const giant = await enter('giant', 1000)
  const next = enter('next', 1)
  await Bun.sleep(0)
  expect(entered).toEqual(['giant'])
  giant[Symbol.dispose]()
  giant[Symbol.dispose]()
  await next
  expect(entered).toEqual(['giant', 'next'])
})

test('who waits too long is not let in, and does not keep others out', async () => {
  const slots = new WeightedSlots(10)
  const first = await slots.take(6)
  const heavy = slots.takeWithin(8, 5)
  const light = slots.takeWithin(2, 60_000)

  expect(await heavy).toBeUndefined()
  expect(await light).toBeDefined()
  expect(await slots.takeWithin(2, 60_000)).toBeDefined()
  first[Symbol.dispose]()
  expect(await slots.takeWithin(6, 0)).toBeDefined()
})
