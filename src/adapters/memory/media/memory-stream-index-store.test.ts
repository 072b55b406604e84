import { streamIndexStoreContract } from '../../../ports/media/stream-index-store.contract.ts'
import { MemoryStreamIndexStore } from './memory-stream-index-store.ts'

streamIndexStoreContract('memory', async () =>
  Object.assign(new MemoryStreamIndexStore(), { [Symbol.asyncDispose]: async () => {} }),
)
