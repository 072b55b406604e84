import { contentStoreContract } from '../../../ports/content/content-store.contract.ts'
import { contentLinesContract } from '../../../ports/previews/content-lines.contract.ts'
import { MemoryBlobStore } from '../content/memory-blob-store.ts'
import { MemoryContentStore } from './memory-content-store.ts'

async function open({ now }: { readonly now: () => Date }) {
  const blobs = new MemoryBlobStore()
  return { store: new MemoryContentStore({ blobs, now }), blobs }
}

contentStoreContract('memory', open)
contentLinesContract('memory', open)
