import { logStoreContract } from '../../ports/log-store.contract.ts'
import { MemoryLogStore } from './memory-log-store.ts'

logStoreContract('memory', async () => ({
  logs: new MemoryLogStore(),
  async [Symbol.asyncDispose]() {},
}))
