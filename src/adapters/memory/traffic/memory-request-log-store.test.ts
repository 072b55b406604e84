import { requestLogStoreContract } from '../../../ports/traffic/request-log-store.contract.ts'
import { MemoryRequestLogStore } from './memory-request-log-store.ts'

requestLogStoreContract('memory', (maxBytes) =>
  Promise.resolve({
    requests: new MemoryRequestLogStore({ maxBytes }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
)
