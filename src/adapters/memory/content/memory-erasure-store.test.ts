import { erasureStoreContract } from '../../../ports/erasing/erasure-store.contract.ts'
import { MemoryErasureStore } from './memory-erasure-store.ts'

erasureStoreContract('memory', async () => new MemoryErasureStore())
