import { expect, test } from 'bun:test'

import type { ContentDigest, ContentDigestStore } from './content-digest-store.ts'

const digest = (place: number): ContentDigest => ({
  sha256: place.toString(16).padStart(64, '0'),
  md5: place.toString(16).padStart(32, 'f'),
})
const checksum = { algorithm: 'CRC64NVME', value: 'rosUhgp5mIg=' } as const

/** What every ContentDigestStore must do. The test of each adapter calls this once. */
export function contentDigestStoreContract(
  name: string,
  open: () => Promise<ContentDigestStore & Partial<AsyncDisposable>>,
): void {
  async function withStore(use: (store: ContentDigestStore) => Promise<void>): Promise<void> {
    const store = await open()
    await use(store)
    await store[Symbol.asyncDispose]?.()
  }

  test(`${name}: digests come back as they were given, those that are known`, () =>
    withStore(async (store) => {
      const known = [{ ...digest(1), checksum }, digest(2)]
      await store.save(known)
      await store.save([])

      const found = await store.find([digest(3).sha256, digest(2).sha256, digest(1).sha256])
      expect(found.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))).toEqual(known)
      expect(await store.find([])).toEqual([])
    }))

  test(`${name}: any number may be saved and asked for at once`, () =>
    withStore(async (store) => {
      const many = Array.from({ length: 1300 }, (_, place) => digest(place))
      await store.save(many)
      expect(await store.find(many.map(({ sha256 }) => sha256))).toHaveLength(1300)
    }))

  test(`${name}: a checksum stays where none is given, and another takes its place`, () =>
    withStore(async (store) => {
      await store.save([{ ...digest(1), checksum }])
      await store.save([digest(1)])
      expect(await store.find([digest(1).sha256])).toEqual([{ ...digest(1), checksum }])

      const other = { algorithm: 'CRC32', value: 'yZRlqg==' } as const
      await store.save([{ ...digest(1), checksum: other }])
      expect(await store.find([digest(1).sha256])).toEqual([{ ...digest(1), checksum: other }])
    }))

  test(`${name}: what is removed is not known, and may not have been`, () =>
    withStore(async (store) => {
      await store.save([digest(1)])
      await store.remove(digest(1).sha256)
      await store.remove(digest(1).sha256)
      expect(await store.find([digest(1).sha256])).toEqual([])
    }))
}
