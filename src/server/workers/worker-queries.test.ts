import { expect, test } from 'bun:test'

import { invalid } from '../../domain/errors.ts'
import type { FromWorker } from './worker-messages.ts'
import { createWorkerQueries, outcomeOf, type Query } from './worker-queries.ts'

/** A worker and a main process that responds as `respond` does. */
function connect(respond: Query, withinMs = 1_000) {
  const faults: unknown[] = []
  const queries = createWorkerQueries({
    withinMs,
    send(message: FromWorker) {
      if (message.kind === 'query') void settle(message.turn, message.query)
    },
  })
  const onFault = (error: unknown) => faults.push(error)
  const settle = async (turn: number, query: unknown) =>
    queries.settled(turn, await outcomeOf(query, { respond, onFault }))
  return { queries, faults }
}

test('each query has its own result, in whatever order they come', async () => {
  const second = Promise.withResolvers<void>()
  const { queries } = connect(async (query) => {
    if (query === 1) await second.promise
    else second.resolve()
    return `of ${String(query)}`
  })

  expect(await Promise.all([queries.query(1), queries.query(2)])).toEqual(['of 1', 'of 2'])
  queries.settled(99, { result: 'of nobody' })
})

test('a refusal is the same at both ends, and a fault is told where it is', async () => {
  const refusing = connect(() => Promise.reject(invalid('commit', 'must be one')))
  const failing = connect(() => Promise.reject(new Error('broken')))

  expect(await refusing.queries.query(1).catch(({ code }) => code)).toBe('InvalidParameter')
  expect(refusing.faults).toEqual([])
  expect(await failing.queries.query(1).catch(({ code }) => code)).toBe('Unavailable')
  expect(failing.faults).toEqual([new Error('broken')])
})

test('who gets no result in time is told so', async () => {
  const { queries } = connect(() => new Promise(() => {}), 1)

  expect(await queries.query(1).catch(({ code }) => code)).toBe('Unavailable')
})
