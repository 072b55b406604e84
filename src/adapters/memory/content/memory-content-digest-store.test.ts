import { contentDigestStoreContract } from '../../../ports/objects/content-digest-store.contract.ts'
import { MemoryContentDigestStore } from './memory-content-digest-store.ts'

contentDigestStoreContract('memory', async () => new MemoryContentDigestStore())
