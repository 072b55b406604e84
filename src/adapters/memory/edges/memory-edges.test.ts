import { edgeStoresContract } from '../../../ports/edges/edge-store.contract.ts'
import { MemoryEdgeStore, MemoryReplicaStore, MemoryTrafficSpool } from './memory-edge-stores.ts'

edgeStoresContract('memory', async () => ({
  edges: new MemoryEdgeStore(),
  replica: new MemoryReplicaStore(),
  spool: new MemoryTrafficSpool({ maxFlushes: 100 }),
  [Symbol.asyncDispose]: async () => {},
}))
