import { expect, test } from 'bun:test'
import { createAttempts } from './attempts.ts'

function openWorld() {
  const clock = { nowMs: 1_790_000_000_000 }
  const slept: number[] = []
  const attempts = createAttempts({
    perNetwork: 5,
    total: 20,
    windowSeconds: 900,
    now: () => new Date(clock.nowMs),
    sleep: async (milliseconds) => void slept.push(milliseconds),
  })
  return {
    attempts,
    wait: (seconds: number) => void (clock.nowMs += seconds * 1000),
    slept,
    begin: async (address: string) => await attempts.begin(address),
    isRefused: async (address: string) => {
      try {
        await attempts.begin(address)
        return false
      } catch (error) {
        expect(error).toMatchObject({ code: 'limit_reached' })
        return true
      }
    },
  }
}

test('an address may fail five times in fifteen minutes, others are not concerned', async () => {
  const { isRefused, wait } = openWorld()
  for (let count = 0; count < 5; count += 1) expect(await isRefused('192.0.2.1')).toBe(false)
  expect(await isRefused('192.0.2.1')).toBe(true)
  expect(await isRefused('192.0.2.2')).toBe(false)
  wait(899)
  expect(await isRefused('192.0.2.1')).toBe(true)
  wait(1)
  expect(await isRefused('192.0.2.1')).toBe(false)
})

test('what succeeds does not count, and gives back no more than itself', async () => {
  const { attempts, isRefused } = openWorld()
  for (let count = 0; count < 50; count += 1) (await attempts.begin('192.0.2.1')).succeed()
  const [attempt] = await Promise.all(Array.from({ length: 5 }, () => attempts.begin('192.0.2.1')))
  attempt?.succeed()
  attempt?.succeed()
  expect(await isRefused('192.0.2.1')).toBe(false)
  expect(await isRefused('192.0.2.1')).toBe(true)
})

test('where strangers fail a hundred times, others wait a moment instead of being refused', async () => {
  const { begin, wait, slept } = openWorld()
  for (let count = 0; count < 20; count += 1) await begin(`192.0.2.${count}`)
  expect(slept).toEqual([])
  await begin('198.51.100.1')
  await begin('198.51.100.2')
  expect(slept).toEqual([1000])
  wait(900)
  await begin('198.51.100.3')
  expect(slept).toEqual([1000])
})

test('a network that somebody came in from does not wait for strangers', async () => {
  const { attempts, begin, slept } = openWorld()
  const first = await begin('203.0.113.7')
  first?.succeed()
  attempts.know('2001:db8:1:2::1')
  for (let count = 0; count < 40; count += 1) await begin(`192.0.2.${count}`)
  const before = slept.length

  expect(before).toBeGreaterThan(10)
  expect(await begin('203.0.113.7')).toBeDefined()
  expect(await begin('2001:db8:1:ff::9')).toBeDefined()
  expect(slept).toHaveLength(before)
})

test('nobody waits for ever: the line has an end, and it is short', async () => {
  const { isRefused } = openWorld()
  for (let count = 0; count < 41; count += 1)
    expect(await isRefused(`192.0.2.${count}`)).toBe(false)
  expect(await isRefused('198.51.100.1')).toBe(true)
})

test('the addresses of one IPv6 network count as one', async () => {
  const { isRefused } = openWorld()
  for (let count = 0; count < 5; count += 1)
    expect(await isRefused(`2001:db8::${count + 1}`)).toBe(false)
  expect(await isRefused('2001:db8::ffff')).toBe(true)
  expect(await isRefused('2001:db8:0:100::1')).toBe(false)
})

test('the refusal says when to come back', async () => {
  const { attempts, wait } = openWorld()
  for (let count = 0; count < 5; count += 1) await attempts.begin('192.0.2.1')
  wait(100)
  await expect(attempts.begin('192.0.2.1')).rejects.toMatchObject({
    context: {
      limit: { name: 'sign-in', quota: 5, windowSeconds: 900, remaining: 0, resetSeconds: 800 },
    },
  })
})
