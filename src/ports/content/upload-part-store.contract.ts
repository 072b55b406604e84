import { expect, test } from 'bun:test'

import type { UploadPart, UploadPartStore } from './upload-part-store.ts'

/** What every UploadPartStore must do. The test of each adapter calls this once. */
export function uploadPartStoreContract(
  name: string,
  open: () => Promise<UploadPartStore & Partial<AsyncDisposable>>,
): void {
  const contract = (what: string, run: (store: UploadPartStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      try {
        await run(store)
      } finally {
        await store[Symbol.asyncDispose]?.()
      }
    })

  contract('a part comes back as it was given, and a newer one takes its place', async (store) => {
    const first = partOf(1, { checksum: { algorithm: 'CRC32', value: 'AAAAAA==' } })
    expect(await store.put('a', first)).toBeUndefined()
    expect(await store.put('b', partOf(1))).toBeUndefined()
    expect(await store.find('a', 1)).toEqual(first)
    expect(await store.find('a', 2)).toBeUndefined()

    const newer = partOf(1, { bytesId: 'newer', sizeBytes: 5e9 })
    expect(await store.put('a', newer)).toEqual(first)
    expect(await store.find('a', 1)).toEqual(newer)
    expect(await store.find('b', 1)).toEqual(partOf(1))
  })

  contract('parts come by number, a page at a time', async (store) => {
    for (const number of [10, 9, 10_000, 1]) await store.put('a', partOf(number))
    const numbers = async (after: number, limit: number) =>
      (await store.list('a', { after, limit })).map(({ number }) => number)

    expect(await numbers(0, 10)).toEqual([1, 9, 10, 10_000])
    expect(await numbers(1, 2)).toEqual([9, 10])
    expect(await numbers(10_000, 2)).toEqual([])
    expect(await store.list('b', { after: 0, limit: 10 })).toEqual([])
  })

  contract('all parts of an upload are forgotten at once, and none of another', async (store) => {
    for (const id of ['a', 'b']) for (const number of [1, 2]) await store.put(id, partOf(number))
    await store.removeAll('a')
    await store.removeAll('nobody')

    expect(await store.list('a', { after: 0, limit: 10 })).toEqual([])
    expect(await store.list('b', { after: 0, limit: 10 })).toHaveLength(2)
  })
}

const partOf = (number: number, given: Partial<UploadPart> = {}): UploadPart => ({
  number,
  bytesId: `bytes-${number}`,
  sizeBytes: 5,
  md5: '0123456789abcdef0123456789abcdef',
  checksum: undefined,
  storedAt: new Date('2026-01-01T00:00:00.000Z'),
  ...given,
})
