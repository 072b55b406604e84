import { expect, test } from 'bun:test'

import { authorizationIn, directoryIn, orderIn, renewalWindowIn } from './acme-resources.ts'

const answer = (data: unknown) => ({ status: 200, headers: {}, data })

test('the resources of RFC 8555 are read, with more members and with fewer', () => {
  const pending = { status: 'pending', authorizations: ['https://a'], finalize: 'https://f' }
  expect(orderIn(answer({ ...pending, expires: '2026-01-01T00:00:00Z' }))).toEqual(pending)
  const challenge = {
    type: 'http-01',
    url: 'https://c',
    token: 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowy',
  }
  const authorization = { status: 'pending', challenges: [challenge, { type: 'x', url: 'y' }] }
  expect(authorizationIn(answer(authorization))).toEqual(authorization)
})

test('what is none of them is said to be none, and by what', () => {
  expect(() => directoryIn(answer('<html>'))).toThrow('its answer is not a directory')
  expect(() => orderIn(answer({}))).toThrow('its answer is not an order')
  const token = '../../etc/passwd'
  const challenges = [{ type: 'http-01', url: 'https://c', token }]
  expect(() => authorizationIn(answer({ status: 'pending', challenges }))).toThrow(
    'its answer is not an authorization',
  )
})

test('a window of renewal is two times, or is not known', () => {
  const suggestedWindow = { start: '2026-01-02T04:00:00Z', end: '2026-01-03T04:00:00+02:00' }
  expect(renewalWindowIn(answer({ suggestedWindow }))).toEqual({
    start: new Date('2026-01-02T04:00:00Z'),
    end: new Date('2026-01-03T02:00:00Z'),
  })
  for (const data of ['', {}, { suggestedWindow: { start: 'soon', end: 'later' } }])
    expect(renewalWindowIn(answer(data))).toBeUndefined()
})
