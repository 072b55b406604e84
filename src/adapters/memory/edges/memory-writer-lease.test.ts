import { writerLeaseContract } from '../../../ports/edges/writer-lease.contract.ts'
import { MemoryWriterLease } from './memory-writer-lease.ts'

writerLeaseContract('memory', async () => {
  const shared = { epoch: 0, url: '', endsAtMs: 0 }
  let nowMs = 1
  const open = () => new MemoryWriterLease({ shared, nowMs: () => nowMs, termMs: 1_000 })
  return {
    lease: open(),
    other: open(),
    outlastTerm: async () => void (nowMs += 1_001),
    async [Symbol.asyncDispose]() {},
  }
})
