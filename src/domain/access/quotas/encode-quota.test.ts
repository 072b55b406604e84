import { expect, test } from 'bun:test'

import { MemoryQuotaStore } from '../../../adapters/memory/access/memory-quota-store.ts'
import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { createEncodeQuota } from './encode-quota.ts'
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
