import { expect, test } from 'bun:test'

import { SharedTurns } from './shared-turns.ts'

const options = { atOnce: 2, atOncePerKey: 1, maxPerKey: 3, maxWaiting: 1, maxWaitMs: 60_000 }

/** Work that goes on until it is told to end. */
function slow() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, end: () => resolve('done') }
}

test('of one key so few work at a time that another has its turn', async () => {
  const turns = new SharedTurns(options)
  const first = slow()
  const begun: string[] = []
  const one = turns.run('a', first.work)
  const two = turns.run('a', async () => void begun.push('a'))
  await turns.run('b', async () => void begun.push('b'))

  expect(begun).toEqual(['b'])
  first.end()
  expect(await one).toEqual({ value: 'done' })
  await two
  expect(begun).toEqual(['b', 'a'])
})

test('who comes when too many of the key are there is sent away', async () => {
  const turns = new SharedTurns(options)
  const held = slow()
  const waiting = [turns.run('a', held.work), turns.run('a', held.work), turns.run('a', held.work)]

  expect(await turns.run('a', held.work)).toBeUndefined()
  held.end()
  expect(await Promise.all(waiting)).toHaveLength(3)
  expect(await turns.run('a', async () => 1)).toEqual({ value: 1 })
})

test('who comes when too many wait is sent away, whatever the key', async () => {
  const turns = new SharedTurns(options)
  const held = slow()
  const there = ['a', 'b', 'c'].map((key) => turns.run(key, held.work))
  await Promise.resolve()

  expect(await turns.run('d', held.work)).toBeUndefined()
  held.end()
  expect(await Promise.all(there)).toEqual(there.map(() => ({ value: 'done' })))
})

test('a turn ends with work that fails', async () => {
  const turns = new SharedTurns({ ...options, atOnce: 1 })
  const failing = turns.run('a', async () => {
    throw new Error('failed')
  })

  expect(failing).rejects.toThrow('failed')
  expect(await turns.run('a', async () => 1)).toEqual({ value: 1 })
})
