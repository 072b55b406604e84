import { fileLockStoreContract } from '../../../ports/content/file-lock-store.contract.ts'
import { MemoryFileLockStore } from './memory-file-lock-store.ts'

fileLockStoreContract('memory', async () => new MemoryFileLockStore())
