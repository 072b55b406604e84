import { expect, test } from 'bun:test'

import { sslStatuses } from '../../ports/records/domain.ts'
import { sslEvents, nextStatus } from './ssl-status.ts'

const walk = (...path: Parameters<typeof nextStatus>[1][]) =>
  path.reduce(nextStatus, 'provisioning' as ReturnType<typeof nextStatus>)

test('a new domain whose name is set goes active, and stays so through renewals', () => {
  expect(walk('misdirected')).toBe('failed')
  expect(walk('misdirected', 'pointed')).toBe('provisioning')
  expect(walk('misdirected', 'pointed', 'issued')).toBe('active')
  expect(walk('pointed', 'issued', 'due')).toBe('renewing')
  expect(walk('pointed', 'issued', 'due', 'issued')).toBe('active')
})

test('whatever goes wrong while a certificate is good, the domain is at worst renewing', () => {
  for (const event of sslEvents.filter((each) => each !== 'lapsed'))
    for (const status of ['active', 'renewing'] as const)
      expect(['active', 'renewing']).toContain(nextStatus(status, event))
})

test('only time makes a domain expired, and only a certificate makes it active', () => {
  for (const status of sslStatuses)
    for (const event of sslEvents) {
      const next = nextStatus(status, event)
      if (next === 'expired' && status !== 'expired') expect(event).toBe('lapsed')
      if (next === 'active' && status !== 'active') expect(event).toBe('issued')
      if (next === 'failed' && status !== 'failed')
        expect(['misdirected', 'refused']).toContain(event)
    }
})

test('from every state a certificate leads back to active', () => {
  for (const status of sslStatuses) expect(nextStatus(status, 'issued')).toBe('active')
})
