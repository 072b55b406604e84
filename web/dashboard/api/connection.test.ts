import { expect, test } from 'bun:test'

import { createConnection } from './connection.ts'

function scripted(responses: boolean[]) {
  const waits: number[] = []
  const changes: boolean[] = []
  const end = Promise.withResolvers<void>()
  const connection = createConnection({
    ping: async () => {
      const response = responses.shift() ?? true
      if (response) queueMicrotask(() => queueMicrotask(end.resolve))
      return await Promise.resolve(response)
    },
    wait: async (ms) => {
      waits.push(ms)
      await Promise.resolve()
    },
  })
  connection.subscribe(() => changes.push(connection.isLost()))
  return { connection, waits, changes, found: end.promise }
}

test('one request that fails while the service answers loses nothing', async () => {
  const { connection, changes, waits, found } = scripted([true])
  connection.doubt()
  await found
  expect(changes).toEqual([])
  expect(waits).toEqual([])
})

test('a service that does not answer is tried at longer and longer intervals until it does', async () => {
  const { connection, changes, waits, found } = scripted([
    ...Array.from({ length: 6 }, () => false),
    true,
  ])
  connection.doubt()
  connection.doubt()
  await found
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  expect(changes).toEqual([true, false])
})
