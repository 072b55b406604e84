import { expect, test } from 'bun:test'
import { ServiceError } from '../../domain/errors.ts'
import {
  limitReached,
  rateLimitHeaders,
  readRateLimitState,
} from '../response/rate-limit-fields.ts'
import { createMemoryRateWindows, createRateLimits, type RateLimit } from './rate-limits.ts'

const rows: readonly RateLimit[] = [
  { name: 'search', quota: 3, window: 60, per: 'client' },
  { name: 'purge', quota: 2, window: 'day', per: 'everyone' },
  { name: 'chat', quota: 2, window: 'month', per: 'everyone' },
]

function setUp(start = '2026-12-31T23:59:00.000Z', maxWindows?: number) {
  const clock = { now: new Date(start) }
  const windows = createMemoryRateWindows(maxWindows)
  const limits = createRateLimits({ rows, windows, now: () => clock.now })
  const isGranted = (name: string, client = '192.0.2.1', cost = 1) => {
    try {
      limits.charge(name, client, cost)
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'limit_reached') return false
      throw error
    }
  }
  const wait = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000)
  }
  return { limits, isGranted, wait }
}

test('a window begins with its first charge and lasts its seconds', () => {
  const { limits, isGranted, wait } = setUp()
  expect(limits.charge('search', '192.0.2.1')).toEqual({
    name: 'search',
    quota: 3,
    windowSeconds: 60,
    remaining: 2,
    resetSeconds: 60,
  })
  wait(50)
  expect(limits.charge('search', '192.0.2.1')).toMatchObject({ remaining: 1, resetSeconds: 10 })
  expect(isGranted('search')).toBe(true)
  expect(isGranted('search')).toBe(false)
  wait(9.9)
  expect(isGranted('search')).toBe(false)
  wait(0.1)
  expect(isGranted('search')).toBe(true)
})

test('clients are counted apart, a whole IPv6 /56 as one', () => {
  const { isGranted } = setUp()
  for (const host of ['1', '2', '3']) expect(isGranted('search', `2001:db8::${host}`)).toBe(true)
  expect(isGranted('search', '2001:db8::4')).toBe(false)
  expect(isGranted('search', '2001:db8:0:100::4')).toBe(true)
  expect(isGranted('search', '192.0.2.2')).toBe(true)
})

test('a limit of everyone is shared', () => {
  const { isGranted } = setUp()
  expect(isGranted('purge', '192.0.2.1')).toBe(true)
  expect(isGranted('purge', '192.0.2.2')).toBe(true)
  expect(isGranted('purge', '192.0.2.3')).toBe(false)
})

test('days and months end with the calendar of UTC', () => {
  const { limits, isGranted, wait } = setUp()
  expect(limits.charge('purge', '')).toMatchObject({ windowSeconds: 86_400, resetSeconds: 60 })
  expect(limits.charge('chat', '')).toMatchObject({ windowSeconds: 31 * 86_400, resetSeconds: 60 })
  expect([isGranted('purge'), isGranted('purge')]).toEqual([true, false])
  expect([isGranted('chat'), isGranted('chat')]).toEqual([true, false])
  wait(60)
  expect([isGranted('purge'), isGranted('chat')]).toEqual([true, true])
})

test('a charge that would go over changes nothing', () => {
  const { isGranted } = setUp()
  expect(isGranted('search', 'a', 4)).toBe(false)
  expect(isGranted('search', 'a', 3)).toBe(true)
  expect(isGranted('search', 'a', 1)).toBe(false)
})

test('a flood of addresses forgets the oldest windows and keeps memory bounded', () => {
  const { isGranted } = setUp(undefined, 10)
  for (let count = 0; count < 3; count += 1) isGranted('search', '192.0.2.1')
  expect(isGranted('search', '192.0.2.1')).toBe(false)
  for (let host = 0; host < 10; host += 1) isGranted('search', `198.51.100.${host}`)
  expect(isGranted('search', '192.0.2.1')).toBe(true)
})

test('the header fields are lists of structured fields', () => {
  const state = {
    name: 'purge',
    quota: 100,
    windowSeconds: 86_400,
    remaining: 97,
    resetSeconds: 3600,
  }
  expect(rateLimitHeaders(state)).toEqual({
    'RateLimit-Policy': '"purge";q=100;w=86400',
    RateLimit: '"purge";r=97;t=3600',
  })
  expect(readRateLimitState(limitReached(state).context['limit'])).toEqual(state)
})

test('a limit that somebody described badly still makes valid header fields', () => {
  for (const value of [undefined, null, 7, {}, { name: 'a"b', quota: -1, resetSeconds: 0.5 }])
    expect(rateLimitHeaders(readRateLimitState(value))).toEqual({
      'RateLimit-Policy': '"default";q=1;w=60',
      RateLimit: '"default";r=0;t=60',
    })
})
