import { expect, test } from 'bun:test'

import type { DomainRecord } from '../../../ports/records/domain.ts'
import { createCheckNow } from './check-now.ts'
import { newDomain } from './domain-changes.ts'

const actor = {
  credentialId: 'c',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: 'r',
}

function setUp(failures = 0) {
  let at = new Date('2026-03-01T12:00:00Z')
  const wanted = { hostname: 'a.example.com', isProven: true }
  const hourLater = () => new Date(at.getTime() + 3_600_000)
  let domain: DomainRecord = {
    ...newDomain('acme', wanted, at),
    failures,
    nextCheckAt: hourLater(),
  }
  const checkNow = createCheckNow({
    look: { find: () => domain },
    update: async (_, change) => {
      domain = change(domain).to
      return domain
    },
    now: () => at,
  })
  return {
    check: async () => {
      const { nextCheckAt } = await checkNow('acme', 'a.example.com', actor)
      const isNow = nextCheckAt.getTime() === at.getTime()
      domain = { ...domain, nextCheckAt: hourLater() }
      return isNow
    },
    pass: (seconds: number) => {
      at = new Date(at.getTime() + seconds * 1000)
    },
  }
}

test('a domain is due at once, and not again within ten seconds', async () => {
  const { check, pass } = setUp()
  expect(await check()).toBe(true)
  pass(9)
  expect(await check()).toBe(false)
  pass(1)
  expect(await check()).toBe(true)
})

test('where the authority refused, it is asked again after ten minutes at most', async () => {
  const { check, pass } = setUp(1)
  expect(await check()).toBe(true)
  pass(599)
  expect(await check()).toBe(false)
  pass(1)
  expect(await check()).toBe(true)
})
