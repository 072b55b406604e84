import { expect, test } from 'bun:test'
import { createAttempts } from './attempts.ts'

function openWorld(limits: { perAddress?: number; total?: number } = {}) {
  const clock = { nowMs: 1_790_000_000_000 }
  const attempts = createAttempts({
    perAddress: 5,
    total: 20,
    windowSeconds: 900,
    now: () => new Date(clock.nowMs),
    ...limits,
  })
  return {
    attempts,
    wait: (seconds: number) => void (clock.nowMs += seconds * 1000),
    isRefused: (address: string) => {
      try {
        attempts.begin(address)
        return false
      } catch (error) {
        expect(error).toMatchObject({ code: 'limit_reached' })
        return true
      }
    },
  }
}

test('an address may fail five times in fifteen minutes, others are not concerned', () => {
  const { isRefused, wait } = openWorld()
  for (let count = 0; count < 5; count += 1) expect(isRefused('192.0.2.1')).toBe(false)
  expect(isRefused('192.0.2.1')).toBe(true)
  expect(isRefused('192.0.2.2')).toBe(false)
  wait(899)
  expect(isRefused('192.0.2.1')).toBe(true)
  wait(1)
  expect(isRefused('192.0.2.1')).toBe(false)
})

test('what succeeds does not count, and gives back no more than itself', () => {
  const { attempts, isRefused } = openWorld()
  for (let count = 0; count < 50; count += 1) attempts.begin('192.0.2.1').succeed()
  const [attempt] = Array.from({ length: 5 }, () => attempts.begin('192.0.2.1'))
  attempt?.succeed()
  attempt?.succeed()
  expect(isRefused('192.0.2.1')).toBe(false)
  expect(isRefused('192.0.2.1')).toBe(true)
})

test('many addresses together have a limit as well', () => {
  const { isRefused, wait } = openWorld()
  for (let count = 0; count < 20; count += 1) expect(isRefused(`192.0.2.${count}`)).toBe(false)
  expect(isRefused('198.51.100.1')).toBe(true)
  wait(900)
  expect(isRefused('198.51.100.1')).toBe(false)
})

test('the addresses of one IPv6 network count as one', () => {
  const { isRefused } = openWorld()
  for (let count = 0; count < 5; count += 1) expect(isRefused(`2001:db8::${count + 1}`)).toBe(false)
  expect(isRefused('2001:db8::ffff')).toBe(true)
  expect(isRefused('2001:db8:0:1::1')).toBe(false)
})

test('the refusal says when to come back', () => {
  const { attempts, wait } = openWorld({ perAddress: 1 })
  attempts.begin('192.0.2.1')
  wait(100)
  expect(() => attempts.begin('192.0.2.1')).toThrow(
    expect.objectContaining({
      context: {
        limit: { name: 'sign-in', quota: 1, windowSeconds: 900, remaining: 0, resetSeconds: 800 },
      },
    }),
  )
})
