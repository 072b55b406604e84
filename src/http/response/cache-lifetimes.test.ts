import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { cacheLifetimes, endingLifetime, endingSeconds } from './cache-lifetimes.ts'

const now = new Date('2026-11-20T12:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const ending = (cacheControl: string, seconds: number, isPrepared = false) =>
  endingLifetime(cacheControl, { endsAt: after(seconds), now, isPrepared })

test('what ends later than it may be used is used as long as ever', () => {
  expect(ending(cacheLifetimes.image, 86_400, true)).toBe(cacheLifetimes.image)
})

test('what could be used for ever is used for a while, and never past the end', () => {
  expect(ending(cacheLifetimes.pinned, 86_400, true)).toBe(`public, max-age=${endingSeconds}`)
  expect(ending(cacheLifetimes.pinned, 30)).toBe('public, max-age=30')
  expect(ending(cacheLifetimes.image, 100)).toBe('public, max-age=60, stale-while-revalidate=40')
})

test('near the end what was prepared is compared each time, and so is what says no lifetime', () => {
  expect(ending(cacheLifetimes.image, endingSeconds, true)).toBe('public, no-cache')
  expect(ending('private', 86_400)).toBe('private, no-cache')
  expect(ending('', 86_400)).toBe('public, no-cache')
  expect(ending(cacheLifetimes.image, -1)).toBe('public, no-cache')
})

test('what is compared each time or not kept stays so', () => {
  for (const text of ['no-store', cacheLifetimes.comparedEachTime])
    expect(ending(text, 10)).toBe(text)
})

test('nothing that a rule says is used past the end', () => {
  const directives = fc.constantFrom(
    'max-age',
    's-maxage',
    'stale-while-revalidate',
    'stale-if-error',
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(directives, fc.nat(2 ** 31)), { maxLength: 5 }),
      fc.integer({ min: -5, max: 100_000 }),
      (said, seconds) => {
        const rule = said.map(([name, value]) => `${name}=${value}`).join(', ')
        const numbers = [...ending(rule, seconds).matchAll(/=(\d+)/gu)].map(([, value]) =>
          Number(value),
        )
        const sum = numbers.reduce((total, value) => total + value, 0)
        expect(sum).toBeLessThanOrEqual(Math.max(0, seconds))
      },
    ),
  )
})
