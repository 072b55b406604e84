import { edgeStoresContract } from '../../../ports/edges/edge-store.contract.ts'
import { MemoryEdgeStore, MemoryReplicaStore, MemoryTrafficSpool } from './memory-edge-stores.ts'
import { MemoryPastStore } from './memory-past-store.ts'

edgeStoresContract('memory', async () => ({
  edges: new MemoryEdgeStore(),
  replica: new MemoryReplicaStore(),
  spool: new MemoryTrafficSpool({ maxFlushes: 100 }),
  past: new MemoryPastStore({ maxCharacters: 1_000 }),
  [Symbol.asyncDispose]: async () => {},
}))
