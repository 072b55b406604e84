import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { continueTrace, incomingRequestId, parseTraceparent, spanIdFrom } from './request-id.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

test('a traceparent is read, and continued under a new span', () => {
  const trace = parseTraceparent(`00-${traceId}-${parentId}-01`)
  expect(trace).toEqual({ traceId, parentId, isSampled: true })
  if (trace === undefined) throw new Error('unreachable')
  expect(continueTrace(trace, 'a'.repeat(16))).toBe(`00-${traceId}-aaaaaaaaaaaaaaaa-01`)
  expect(parseTraceparent(`00-${traceId}-${parentId}-00`)?.isSampled).toBe(false)
  expect(parseTraceparent(`cc-${traceId}-${parentId}-01-more`)).toEqual(trace)
})

test('what the specification calls invalid counts as no trace', () => {
  for (const field of [
    null,
    '',
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `cc-${traceId}-${parentId}-01.more`,
  ])
    expect(parseTraceparent(field)).toBeUndefined()
})

test('every uuid is a request id and makes a span id, and no other text is', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (id, text) => {
      expect(incomingRequestId({ get: () => id })).toBe(id)
      expect(incomingRequestId({ get: () => text })).toBeUndefined()
      expect(spanIdFrom(id)).toMatch(/^[\da-f]{16}$/u)
      expect(spanIdFrom(id)).not.toBe('0'.repeat(16))
    }),
  )
})
