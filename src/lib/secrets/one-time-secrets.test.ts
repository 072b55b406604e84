import { expect, test } from 'bun:test'

import { createOneTimeSecrets } from './one-time-secrets.ts'

test('a secret is good once, until it expires, and no other is', () => {
  let nowMs = 0
  const secrets = createOneTimeSecrets({ lifeMs: 1000, now: () => new Date(nowMs) })
  const [first, second] = [secrets.issue(), secrets.issue()]

  expect(first).toMatch(/^[\w-]{43}$/u)
  expect(second).not.toBe(first)
  expect(secrets.spend('')).toBe(false)
  expect([secrets.spend(first), secrets.spend(first)]).toEqual([true, false])
  nowMs = 1000
  expect(secrets.spend(second)).toBe(false)
})
