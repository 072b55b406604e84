import { expect, test } from 'bun:test'

import { MemoryRequestLogStore } from '../../../adapters/memory/traffic/memory-request-log-store.ts'
import { lineOf } from '../../../ports/traffic/request-log-store.contract.ts'
import type { RequestLine } from '../../../ports/traffic/request-log-store.ts'
import { createRequestLog } from './request-log.ts'

const nothing = { lines: [], notKept: 0 }

test('lines of several processes are stored by their time, and shown to who watches', async () => {
  const store = new MemoryRequestLogStore({ maxBytes: 2 ** 20 })
  let own: readonly RequestLine[] = [lineOf({ at: 2 })]
  await using requests = createRequestLog({
    store,
    drain: () => ({ lines: own, notKept: 0 }),
    process: 'test',
    log: { warn: () => undefined },
  })
  const watched: number[] = []
  using _watch = requests.watch((lines) => watched.push(...lines.map(({ at }) => at)))
  requests.take({ lines: [lineOf({ at: 3 }), lineOf({ at: 1 })], notKept: 4 })
  await requests.flush()
  own = []

  const kept = []
  for await (const batch of store.read('delivered')) kept.push(...batch)
  const lines = kept.map(({ text }) => JSON.parse(text) as RequestLine)
  expect(lines.map(({ at, line }) => [at, line])).toEqual([
    [3, 'test.3'],
    [2, 'test.2'],
    [1, 'test.1'],
  ])
  expect(watched).toEqual([1, 2, 3])
  expect(requests.notKept).toBe(4)
})

test('a full disk loses lines, is said once and how many at its end, and holds nobody up', async () => {
  const warnings: unknown[] = []
  let isFull = true
  await using requests = createRequestLog({
    store: { append: () => (isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve()) },
    drain: () => nothing,
    process: 'test',
    log: { warn: (message, fields) => void warnings.push([message, fields?.['lost']]) },
  })
  for (let each = 0; each < 3; each += 1) {
    requests.take({ lines: [lineOf({})], notKept: 0 })
    await requests.flush()
  }
  expect(warnings).toHaveLength(1)
  expect(requests.notKept).toBe(3)
  isFull = false
  requests.take({ lines: [lineOf({})], notKept: 0 })
  await requests.flush()
  expect(requests.notKept).toBe(3)
  expect(warnings.at(-1)).toEqual(['requests are written to their log again', 3])
})

test('what a slow disk keeps waiting is bounded', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sizes: number[] = []
  await using requests = createRequestLog({
    store: {
      async append(lines) {
        sizes.push(lines.length)
        await promise
      },
    },
    drain: () => nothing,
    process: 'test',
    log: { warn: () => undefined },
  })
  requests.take({ lines: [lineOf({})], notKept: 0 })
  void requests.flush()
  for (let each = 0; each < 30; each += 1)
    requests.take({ lines: Array.from({ length: 1_000 }, () => lineOf({})), notKept: 0 })
  resolve()
  await requests.flush()
  expect(Math.max(...sizes)).toBe(20_000)
  expect(requests.notKept).toBeGreaterThanOrEqual(10_000)
})
