import { expect, test } from 'bun:test'

import { MemoryQuotaStore } from '../../../adapters/memory/access/memory-quota-store.ts'
import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { createEncodeQuota, NewVariantsUsedUp } from './encode-quota.ts'
import { createQuota } from './quota.ts'

test('a month counts each image once, and a network what it costs', async () => {
  const store = new MemoryQuotaStore(new MemoryDatabase())
  const quotaOf = (name: string) =>
    createQuota({
      store,
      name,
      limit: 10,
      operatorLimit: 10,
      window: 'month',
      now: () => new Date(0),
      onUse: () => {},
    })
  const charged: unknown[] = []
  const all = quotaOf('all')
  const quota = createEncodeQuota({
    all,
    ofZone: quotaOf,
    chargeNetwork: (address, share) => charged.push([address, share]),
  })
  await quota.take('acme', { address: '192.0.2.1', isOperator: false }, 7)
  await quota.take('acme', { address: '192.0.2.1', isOperator: false })
  await quota.take('acme', { address: '192.0.2.2', isOperator: true }, 7)

  expect(charged).toEqual([
    ['192.0.2.1', 7],
    ['192.0.2.1', 1],
  ])
  expect((await all.state()).used).toBe(3)
})

test('beyond a zone’s own bound something else may be delivered; beyond what all share it may not', async () => {
  const store = new MemoryQuotaStore(new MemoryDatabase())
  const now = () => new Date('2026-11-20T12:00:00Z')
  const quotaOf = (name: string, limit: number) =>
    createQuota({ store, name, limit, operatorLimit: 9, window: 'month', now })
  const bounded = new Set<string>()
  const quota = createEncodeQuota({
    all: quotaOf('transform', 3),
    ofZone: (zone) => quotaOf(`transform ${zone}`, zone === 'acme' ? 1 : 3),
    chargeNetwork: () => {},
    instead: {
      isBounded: (zone) => bounded.has(zone),
      limitOf: (zone) => (zone === 'acme' ? 1 : undefined),
      now,
    },
  })
  const anybody = { address: '192.0.2.1', isOperator: false }
  const operator = { ...anybody, isOperator: true }
  await quota.take('acme', anybody)

  expect(quota.take('acme', anybody)).rejects.toBeInstanceOf(NewVariantsUsedUp)
  await quota.take('bolt', anybody)
  await quota.take('bolt', anybody)
  const refusal = await quota.take('bolt', anybody).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'limit_reached' })
  expect(refusal).not.toBeInstanceOf(NewVariantsUsedUp)
  bounded.add('bolt')
  expect(() => quota.admit('bolt', anybody)).toThrow(NewVariantsUsedUp)
  expect(() => quota.admit('bolt', operator)).not.toThrow()
})
