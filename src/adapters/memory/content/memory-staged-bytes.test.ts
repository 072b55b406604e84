import { stagedBytesContract } from '../../../ports/content/staged-bytes.contract.ts'
import { MemoryBlobStore } from './memory-blob-store.ts'
import { MemoryStagedBytes } from './memory-staged-bytes.ts'

stagedBytesContract('memory', async () => {
  const blobs = new MemoryBlobStore()
  const staged = new MemoryStagedBytes(blobs)
  return { staged, blobs, reopen: async () => staged, async [Symbol.asyncDispose]() {} }
})
