import { logStoreContract } from '../../../ports/traffic/log-store.contract.ts'
import { MemoryLogStore } from './memory-log-store.ts'

logStoreContract('memory', async () => ({
  logs: new MemoryLogStore(),
  async [Symbol.asyncDispose]() {},
}))
