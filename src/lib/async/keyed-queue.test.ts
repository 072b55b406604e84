import { expect, test } from 'bun:test'

import { KeyedQueue } from './keyed-queue.ts'

test('tasks of one key run one after another, tasks of another key meanwhile', async () => {
  const queue = new KeyedQueue()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queue.run('a', async () => {
    await gate.promise
    seen.push('a1')
  })
  const second = queue.run('a', async () => seen.push('a2'))
  await queue.run('b', async () => seen.push('b1'))
  gate.resolve()
  await Promise.all([first, second])

  expect(seen).toEqual(['b1', 'a1', 'a2'])
})

test('a task that fails is told so and holds up nobody', async () => {
  const queue = new KeyedQueue()
  const failing = queue.run('a', async () => {
    throw new Error('no')
  })
  const next = queue.run('a', async () => 'yes')

  expect(await failureOf(failing)).toMatchObject({ message: expect.stringContaining('no') })
  expect(await next).toBe('yes')
})

test('is idle once every task has ended, however it ended', async () => {
  const queue = new KeyedQueue()
  let ended = 0
  const failing = queue.run('a', async () => {
    ended += 1
    throw new Error('no')
  })
  failing.catch(() => {})
  queue.run('b', async () => {
    ended += 1
  })

  await queue.idle()

  expect(ended).toBe(2)
})

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a task of several keys has the turn of all of them, and others of these keys wait', async () => {
  const queue = new KeyedQueue()
  const said: string[] = []
  const first = Promise.withResolvers<void>()
  const tasks = [
    queue.run('a', async () => {
      await first.promise
      said.push('a')
    }),
    queue.runTogether(['a', 'b'], async () => void said.push('a and b')),
    queue.runTogether(['b', 'a'], async () => void said.push('b and a')),
    queue.run('b', async () => void said.push('b')),
  ]
  await Promise.resolve()
  expect(said).toEqual([])
  first.resolve()
  await Promise.all(tasks)
  expect(said).toEqual(['a', 'a and b', 'b and a', 'b'])
})

test('a task of several keys that fails fails alone', async () => {
  const queue = new KeyedQueue()
  const failing = queue.runTogether(['a', 'b'], () => Promise.reject(new Error('no')))
  const after = queue.run('b', async () => 'after')
  expect(String(await failing.catch((error: unknown) => error))).toContain('no')
  expect(await after).toBe('after')
})
