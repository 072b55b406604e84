import { expect, test } from 'bun:test'

import { detailOf, faultOf, unreachable } from './acme-problem.ts'

const at = new Date('2026-01-01T00:00:00Z')
const type = (name: string) => `urn:ietf:params:acme:error:${name}`
const answer = (status: number, data: unknown = {}, headers = {}) =>
  faultOf({ status, headers, data }, at)

test('an answer that is no refusal is no fault, and neither is a used nonce', () => {
  expect(answer(200)).toBeUndefined()
  expect(answer(201)).toBeUndefined()
  expect(answer(400, { type: type('badNonce') })).toBeUndefined()
})

test('a rate limit is told by status or type, with how long to wait', () => {
  const limited = { type: type('rateLimited'), detail: 'too many certificates' }
  const byDate = answer(429, limited, { 'retry-after': 'Thu, 01 Jan 2026 01:00:00 GMT' })
  expect(byDate).toMatchObject({ fault: 'rate-limited', retryAfterMs: 3_600_000 })
  expect(byDate?.message).toBe('The certificate authority asks to wait: too many certificates')
  expect(answer(400, limited, { 'retry-after': '90' })).toMatchObject({
    fault: 'rate-limited',
    retryAfterMs: 90_000,
  })
  expect(answer(429, '<html>', { 'retry-after': 'soon' })).toMatchObject({
    fault: 'rate-limited',
    retryAfterMs: undefined,
  })
})

test('a fault of the authority is not a refusal of the domain', () => {
  expect(answer(503, 'down', { 'retry-after': '7' })).toMatchObject({
    fault: 'unavailable',
    retryAfterMs: 7_000,
  })
  expect(answer(400, { type: type('serverInternal') })?.fault).toBe('unavailable')
  expect(unreachable(new Error('ECONNREFUSED')).fault).toBe('unavailable')
})

test('everything else is a refusal in the authority’s own words', () => {
  const refused = answer(403, { type: type('caa'), detail: 'CAA forbids it' })
  expect(refused).toMatchObject({ fault: 'refused' })
  expect(refused?.message).toBe('The certificate authority refused: CAA forbids it')
  expect(answer(400, null)?.message).toContain('no reason given (status 400)')
  expect(answer(400, { type: 7, detail: ['x'] })?.fault).toBe('refused')
})

test('a failed challenge tells why', () => {
  expect(detailOf({ status: 'invalid', error: { detail: 'Connection refused' } })).toBe(
    'Connection refused',
  )
  for (const odd of [undefined, null, 7, {}, { error: null }]) expect(detailOf(odd)).toBe('')
})
