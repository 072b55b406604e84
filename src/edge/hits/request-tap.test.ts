import { expect, test } from 'bun:test'

import { lineOf } from '../../ports/traffic/request-log-store.contract.ts'
import { createRequestTap, type RequestTapOptions } from './request-tap.ts'

function setUp(options: Partial<RequestTapOptions> = {}) {
  const clock = { ms: 0 }
  const tap = createRequestTap({
    perSecond: 10,
    sampleEvery: 1,
    monotonicMs: () => clock.ms,
    ...options,
  })
  const send = (status: number, times: number) => {
    for (let each = 0; each < times; each += 1) if (tap.takes(status)) tap.note(lineOf({ status }))
  }
  const statuses = () => {
    const { lines, notKept } = tap.drain()
    const count = (status: number) => lines.filter((line) => line.status === status).length
    return { count, notKept }
  }
  return { clock, send, statuses }
}

test('a flood is cut off, counted, and hides no request of another kind', () => {
  const { send, statuses } = setUp()
  send(404, 5_000)
  send(200, 5_000)
  send(500, 3)
  send(403, 3)
  const { count, notKept } = statuses()
  expect([404, 200, 500, 403].map(count)).toEqual([10, 10, 3, 3])
  expect(notKept).toBe(2 * 4_990)
})

test('each second has room of its own, however often lines are taken away', () => {
  const { clock, send, statuses } = setUp()
  send(200, 100)
  expect(statuses().count(200)).toBe(10)
  clock.ms = 999
  send(200, 100)
  expect(statuses().count(200)).toBe(0)
  clock.ms = 1_000
  send(200, 100)
  expect(statuses()).toMatchObject({ notKept: 90 })
})

test('where nobody takes lines away, memory is bounded', () => {
  const { send, statuses } = setUp({ perSecond: 1_000_000 })
  send(200, 25_000)
  expect(statuses().count(200)).toBe(20_000)
})

test('a sample is one of so many deliveries, and every error', () => {
  const { send, statuses } = setUp({ perSecond: 1_000, sampleEvery: 10 })
  send(200, 100)
  send(404, 100)
  const { count, notKept } = statuses()
  expect([count(200), count(404), notKept]).toEqual([10, 100, 0])
})

test('room for none notes none', () => {
  const { clock, send, statuses } = setUp({ perSecond: 0 })
  clock.ms = 5_000
  send(200, 5)
  expect(statuses().count(200)).toBe(0)
})
