import { sentBytesContract } from '../../../ports/traffic/sent-bytes.contract.ts'
import { MemorySentBytes } from './memory-sent-bytes.ts'

sentBytesContract('memory', async () => {
  const sentBytes = new MemorySentBytes()
  let clients = 0
  return {
    sentBytes,
    async connect() {
      clients += 1
      const ends = { localPort: 80, peerAddress: '192.0.2.1', peerPort: 1000 + clients }
      sentBytes.open(ends)
      return {
        ends,
        receive: async (bytes) => sentBytes.send(ends, bytes),
        close: async () => sentBytes.close(ends),
      }
    },
    [Symbol.asyncDispose]: async () => sentBytes[Symbol.dispose](),
  }
})
