import { expect, test } from 'bun:test'

import type { FileLock, FileLockStore } from './file-lock-store.ts'

const lockOf = (id: string, path: string, zone = 'acme'): FileLock => ({
  id,
  path,
  zone,
  zoneCommitId: 'c1',
  owner: 'key',
  lockedAt: new Date('2026-01-01T00:00:00.000Z'),
})

/** What every FileLockStore must do. The test of each adapter calls this once. */
export function fileLockStoreContract(
  name: string,
  open: () => Promise<FileLockStore & Partial<AsyncDisposable>>,
): void {
  const contract = (what: string, run: (store: FileLockStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      try {
        await run(store)
      } finally {
        await store[Symbol.asyncDispose]?.()
      }
    })

  contract('a lock comes back as it was given', async (store) => {
    const lock = { ...lockOf('1', 'clients/acme/ü'), zoneCommitId: undefined }
    expect(await store.add(lock)).toEqual(lock)
    expect(await store.find('1')).toEqual(lock)
    expect(await store.findByPath(lock.path)).toEqual(lock)
    expect(await store.find('2')).toBeUndefined()
    expect(await store.findByPath('clients')).toBeUndefined()
  })

  contract('a path has one lock, whoever is first, until it is removed', async (store) => {
    const all = await Promise.all(['1', '2', '3'].map((id) => store.add(lockOf(id, 'a'))))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    const id = all[0]?.id ?? ''
    expect(await store.remove(id)).toBe(true)
    expect(await store.remove(id)).toBe(false)
    expect(await store.add(lockOf('4', 'a'))).toEqual(lockOf('4', 'a'))
  })

  contract('locks are listed by path, a page at a time, of some zones or of all', async (store) => {
    for (const [id, path, zone] of [
      ['1', 'b', 'bolt'],
      ['2', 'a', 'acme'],
      ['3', 'Z', 'acme'],
      ['4', 'ä', ''],
    ] as const)
      await store.add(lockOf(id, path, zone))
    const idsOf = async (page: Partial<Parameters<FileLockStore['list']>[0]>) => {
      const found = await store.list({ after: undefined, zones: undefined, limit: 10, ...page })
      return found.map((lock) => lock.id)
    }

    expect(await idsOf({})).toEqual(['3', '2', '1', '4'])
    expect(await idsOf({ after: 'Z', limit: 2 })).toEqual(['2', '1'])
    expect(await idsOf({ zones: ['acme', 'none'] })).toEqual(['3', '2'])
    expect(await idsOf({ zones: [] })).toEqual([])
    expect([await store.count('acme'), await store.count('none')]).toEqual([2, 0])
  })
}
