import { contentStoreContract } from '../../../ports/content/content-store.contract.ts'
import { MemoryBlobStore } from './memory-blob-store.ts'
import { MemoryContentStore } from './memory-content-store.ts'

contentStoreContract('memory', async ({ now }) => {
  const blobs = new MemoryBlobStore()
  return { store: new MemoryContentStore({ blobs, now }), blobs }
})
