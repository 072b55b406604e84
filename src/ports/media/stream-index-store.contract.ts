import { expect, test } from 'bun:test'

import type { StreamIndexStore } from './stream-index-store.ts'

/** What every StreamIndexStore must do. The test of each adapter calls this once. */
export function streamIndexStoreContract(
  name: string,
  open: () => Promise<StreamIndexStore & AsyncDisposable>,
): void {
  test(`${name}: what was saved last is found, byte by byte`, async () => {
    await using store = await open()
    await store.save(first, Buffer.from('old'))
    await store.save(first, Buffer.from([0, 255, 10, 13]))
    await store.save(second, new Uint8Array())

    expect(Buffer.from((await store.find(first)) ?? [])).toEqual(Buffer.from([0, 255, 10, 13]))
    expect((await store.find(second))?.length).toBe(0)
  })

  test(`${name}: what was never saved or was removed is not found`, async () => {
    await using store = await open()
    await store.save(first, Buffer.from('x'))
    await store.remove(first)
    await store.remove(second)

    expect(await store.find(first)).toBeUndefined()
    expect(await store.find(second)).toBeUndefined()
    expect(await store.find('../../etc/passwd')).toBeUndefined()
  })

  test(`${name}: bytes changed after they were handed over are kept as they were`, async () => {
    await using store = await open()
    const bytes = new Uint8Array(100_000).fill(1)
    const saved = store.save(first, bytes)
    bytes.fill(2)
    await saved
    bytes.fill(3)

    expect(new Set(await store.find(first))).toEqual(new Set([1]))
  })

  test(`${name}: a reader sees one save or the other, never a mixture`, async () => {
    await using store = await open()
    const versions = [1, 2, 3, 4].map((value) => new Uint8Array(200_000).fill(value))
    await store.save(first, versions[0] ?? new Uint8Array())
    const writing = Promise.all(versions.map((bytes) => store.save(first, bytes)))
    for (let round = 0; round < 20; round += 1) {
      const found = await store.find(first)
      expect(found?.length).toBe(200_000)
      expect(new Set(found).size).toBe(1)
    }
    await writing
  })
}

const first = 'a1'.repeat(32)
const second = 'b2'.repeat(32)
