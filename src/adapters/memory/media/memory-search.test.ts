import { embedderContract } from '../../../ports/media/embedder.contract.ts'
import { vectorStoreContract } from '../../../ports/media/vector-store.contract.ts'
import { MemoryEmbedder } from './memory-embedder.ts'
import { MemoryVectorStore } from './memory-vector-store.ts'

embedderContract('memory', async () => new MemoryEmbedder())
vectorStoreContract('memory', async () => new MemoryVectorStore())
