import { expect, test } from 'bun:test'

import type { EmbeddedMetadata, EmbeddedMetadataStore } from './embedded-metadata.ts'

const sha256 = 'a'.repeat(64)
const found: EmbeddedMetadata = {
  title: 'Crème',
  alt: { de: 'Drei Boote', und: 'Boats' },
  description: 'one\ntwo',
  tags: ['boats', 'süß'],
  sources: { title: 'iptc', alt: 'xmp', description: 'xmp', tags: 'iptc' },
}

/** What every EmbeddedMetadataStore must do. The test of each adapter calls this once. */
export function embeddedMetadataStoreContract(
  name: string,
  open: () => Promise<EmbeddedMetadataStore & Partial<AsyncDisposable>>,
): void {
  async function withStore(use: (store: EmbeddedMetadataStore) => Promise<void>): Promise<void> {
    const store = await open()
    await use(store)
    await store[Symbol.asyncDispose]?.()
  }

  test(`${name}: what a file says comes back as it was given, and nothing where nobody looked`, () =>
    withStore(async (store) => {
      expect(await store.find(sha256)).toBeUndefined()
      await store.save(sha256, found)
      await store.save('b'.repeat(64), { sources: {} })
      expect(await store.find(sha256)).toEqual(found)
      expect(await store.find('b'.repeat(64))).toEqual({ sources: {} })
    }))

  test(`${name}: what is read again takes the place of what was read before`, () =>
    withStore(async (store) => {
      await store.save(sha256, found)
      await store.save(sha256, { title: 'New', sources: { title: 'svg' } })
      expect(await store.find(sha256)).toEqual({ title: 'New', sources: { title: 'svg' } })
    }))

  test(`${name}: what is removed is not known, and may not have been`, () =>
    withStore(async (store) => {
      await store.save(sha256, found)
      await store.remove(sha256)
      await store.remove(sha256)
      expect(await store.find(sha256)).toBeUndefined()
    }))
}
