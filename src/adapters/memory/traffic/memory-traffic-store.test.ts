import { trafficStoreContract } from '../../../ports/traffic/traffic-store.contract.ts'
import { MemoryTrafficStore } from './memory-traffic-store.ts'

trafficStoreContract('memory', async () => ({
  traffic: new MemoryTrafficStore(),
  async [Symbol.asyncDispose]() {},
}))
