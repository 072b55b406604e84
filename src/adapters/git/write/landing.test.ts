import { expect, test } from 'bun:test'

import { Landing } from './landing.ts'

test('who is alone waits for those who share, and keeps out those who come', async () => {
  const landing = new Landing()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const sharing = landing.share(async () => {
    await first.promise
    order.push('shared')
  })
  const alone = landing.alone(async () => void order.push('alone'))
  const later = landing.share(async () => void order.push('later'))
  await Promise.resolve()
  expect(order).toEqual([])
  first.resolve()
  await Promise.all([sharing, alone, later])

  expect(order).toEqual(['shared', 'alone', 'later'])
  expect(landing.epoch).toBe(1)
})

test('several who want to be alone take turns, also where one fails', async () => {
  const landing = new Landing()
  let inside = 0
  const turn = (fails: boolean) =>
    landing.alone(async () => {
      inside += 1
      await Promise.resolve()
      expect(inside).toBe(1)
      inside -= 1
      if (fails) throw new Error('no')
    })
  const all = await Promise.allSettled([turn(false), turn(true), turn(false)])

  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await landing.share(async () => 7)).toBe(7)
})
