import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { MetadataStores } from '../content/publication-store.contract.ts'

/** What every QuotaStore must do. The test of each adapter calls this once. */
export function quotaStoreContract(name: string, open: () => Promise<MetadataStores>): void {
  test(`${name}: use adds up to the limit and no further`, async () => {
    await using stores = await open()
    const take = (amount: number) => stores.quotas.take({ ...purge, amount, limit: 10 })

    expect(await take(4)).toBe(4)
    expect(await take(7)).toBeUndefined()
    expect(await take(6)).toBe(10)
    expect(await take(1)).toBeUndefined()
    expect(await take(0)).toBe(10)
    expect(await used(stores)).toBe(10)
  })

  test(`${name}: one request over the limit takes nothing, also as the first of its window`, async () => {
    await using stores = await open()

    expect(await stores.quotas.take({ ...purge, amount: 11, limit: 10 })).toBeUndefined()
    expect(await used(stores)).toBe(0)
  })

  test(`${name}: of several at once all are taken or none, and the one in the way is named`, async () => {
    await using stores = await open()
    const all = { name: 'transform', window: '2026-11', amount: 1, limit: 3 }
    const zone = { ...all, name: 'transform acme', limit: 2 }
    const take = () => stores.quotas.takeAll([zone, all])

    expect(await take()).toEqual({ kind: 'granted', used: [1, 1] })
    await stores.quotas.take(all)
    expect(await take()).toEqual({ kind: 'granted', used: [2, 3] })
    expect(await stores.quotas.takeAll([all, zone])).toEqual({ kind: 'refused', place: 0 })
    expect(await take()).toEqual({ kind: 'refused', place: 0 })
    await stores.quotas.refund(zone)
    expect(await take()).toEqual({ kind: 'refused', place: 1 })
    expect(await stores.quotas.used(zone.name, zone.window)).toBe(1)
    expect(await stores.quotas.used(all.name, all.window)).toBe(3)
  })

  test(`${name}: names and windows are counted apart`, async () => {
    await using stores = await open()
    const keys = [
      { name: 'purge', window: '2026-11-20' },
      { name: 'purge', window: '2026-11-21' },
      { name: 'chat', window: '2026-11-20' },
    ]
    for (const [place, key] of keys.entries())
      await stores.quotas.take({ ...key, amount: place + 1, limit: 10 })

    for (const [place, { name: quota, window }] of keys.entries())
      expect(await stores.quotas.used(quota, window)).toBe(place + 1)
  })

  test(`${name}: a limit that was lowered grants nothing, and takes nothing back`, async () => {
    await using stores = await open()
    await stores.quotas.take({ ...purge, amount: 8, limit: 10 })

    expect(await stores.quotas.take({ ...purge, amount: 1, limit: 5 })).toBeUndefined()
    expect(await used(stores)).toBe(8)
  })

  test(`${name}: what is given back can be taken again, and never more than was taken`, async () => {
    await using stores = await open()
    await stores.quotas.take({ ...purge, amount: 10, limit: 10 })
    await stores.quotas.refund({ ...purge, amount: 3 })
    expect(await used(stores)).toBe(7)

    await stores.quotas.refund({ ...purge, amount: 100 })
    expect(await used(stores)).toBe(0)
    await stores.quotas.refund({ name: 'nobody', window: 'never', amount: 1 })
    expect(await stores.quotas.used('nobody', 'never')).toBe(0)
  })

  test(`${name}: of many that ask at once no more than the limit is granted`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 30 }),
        fc.integer({ min: 0, max: 40 }),
        async (amounts, limit) => {
          await using stores = await open()
          const answers = await Promise.all(
            amounts.map((amount) => stores.quotas.take({ ...purge, amount, limit })),
          )
          const granted = amounts.filter((_, place) => answers[place] !== undefined)
          const refused = amounts.filter((_, place) => answers[place] === undefined)
          const sum = granted.reduce((total, amount) => total + amount, 0)

          expect(await used(stores)).toBe(sum)
          expect(sum).toBeLessThanOrEqual(limit)
          for (const amount of refused) expect(sum + amount).toBeGreaterThan(limit)
        },
      ),
      { numRuns: 40 },
    )
  })
}

const purge = { name: 'purge', window: '2026-11-20' }

const used = (stores: MetadataStores) => stores.quotas.used(purge.name, purge.window)
