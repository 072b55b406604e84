import { expect, test } from 'bun:test'

import type { ZoneCommit, ZoneCommitStore } from './zone-commit-store.ts'

const id = (place: number): string => place.toString(16).padStart(40, '0')
const pair = (place: number): ZoneCommit => ({
  commitId: id(place),
  zoneCommitId: id(place + 100_000),
})
const progress = { beginning: id(1), readTo: id(2), newest: id(100_002) }

/** What every ZoneCommitStore must do. The test of each adapter calls this once. */
export function zoneCommitStoreContract(
  name: string,
  open: () => Promise<ZoneCommitStore & Partial<AsyncDisposable>>,
): void {
  async function withStore(use: (store: ZoneCommitStore) => Promise<void>): Promise<void> {
    const store = await open()
    await use(store)
    await store[Symbol.asyncDispose]?.()
  }

  test(`${name}: how far a zone is comes back as it was said last`, () =>
    withStore(async (store) => {
      expect(await store.progress('acme')).toBeUndefined()
      await store.add('acme', [], { beginning: '', readTo: id(1), newest: undefined })
      expect(await store.progress('acme')).toEqual({
        beginning: '',
        readTo: id(1),
        newest: undefined,
      })
      await store.add('acme', [pair(1), pair(2)], progress)
      expect(await store.progress('acme')).toEqual(progress)
      expect(await store.progress('bolt')).toBeUndefined()
    }))

  test(`${name}: a zone knows its own commits and no others, however many`, () =>
    withStore(async (store) => {
      const many = Array.from({ length: 1300 }, (_, place) => pair(place))
      await store.add('acme', many, progress)
      await store.add('acme', many.slice(0, 3), progress)
      await store.add('bolt', [pair(5000)], progress)
      const asked = [...many.map(({ zoneCommitId }) => zoneCommitId), pair(5000).zoneCommitId, '']

      expect((await store.known('acme', asked)).size).toBe(1300)
      expect([...(await store.known('bolt', asked))]).toEqual([pair(5000).zoneCommitId])
      expect((await store.known('acme', [])).size).toBe(0)
      expect((await store.known('acme', [pair(3).commitId])).size).toBe(0)
    }))

  test(`${name}: what is forgotten is not known, and that of others stays`, () =>
    withStore(async (store) => {
      for (const zone of ['acme', 'bolt']) await store.add(zone, [pair(1)], progress)
      await store.forget('acme')
      await store.forget('acme')

      expect(await store.progress('acme')).toBeUndefined()
      expect((await store.known('acme', [pair(1).zoneCommitId])).size).toBe(0)
      expect((await store.known('bolt', [pair(1).zoneCommitId])).size).toBe(1)
    }))
}
