import { blobStoreContract } from '../../../ports/content/blob-store.contract.ts'
import { MemoryBlobStore } from './memory-blob-store.ts'

blobStoreContract('memory', async (options) => new MemoryBlobStore(options))
