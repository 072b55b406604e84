import { uploadPartStoreContract } from '../../../ports/content/upload-part-store.contract.ts'
import { MemoryUploadPartStore } from './memory-upload-part-store.ts'

uploadPartStoreContract('memory', async () => new MemoryUploadPartStore())
