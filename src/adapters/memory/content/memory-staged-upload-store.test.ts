import { stagedUploadStoreContract } from '../../../ports/content/staged-upload-store.contract.ts'
import { MemoryStagedUploadStore } from './memory-staged-upload-store.ts'

stagedUploadStoreContract('memory', async () => new MemoryStagedUploadStore())
