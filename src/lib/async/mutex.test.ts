import { expect, test } from 'bun:test'

import { Mutex } from './mutex.ts'

test('holders never overlap and go in the order of asking', async () => {
  const mutex = new Mutex()
  const seen: string[] = []
  const hold = async (name: string) => {
    using _held = await mutex.acquire()
    seen.push(`${name} in`)
    await Promise.resolve()
    seen.push(`${name} out`)
  }

  await Promise.all([hold('a'), hold('b'), hold('c')])

  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('a holder that throws lets the next one in', async () => {
  const mutex = new Mutex()
  const failing = async () => {
    using _held = await mutex.acquire()
    throw new Error('no')
  }

  expect(await failureOf(failing())).toMatchObject({ message: expect.stringContaining('no') })
  using held = await mutex.acquire()
  expect(held).toBeDefined()
})

test('a turn that does not come in time is passed on', async () => {
  const mutex = new Mutex()
  const first = await mutex.acquire()
  const [late, next] = [mutex.acquireWithin(1), mutex.acquireWithin(60_000)]

  expect(await late).toBeUndefined()
  first[Symbol.dispose]()
  using held = await next
  expect(held).toBeDefined()
})

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
