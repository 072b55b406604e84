import { certificateStoreContract } from '../../../ports/domains/certificate-store.contract.ts'
import { MemoryCertificateStore } from './memory-certificate-store.ts'

certificateStoreContract('memory', async () => ({
  store: new MemoryCertificateStore(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}))
