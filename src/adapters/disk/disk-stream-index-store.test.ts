import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { streamIndexStoreContract } from '../../ports/media/stream-index-store.contract.ts'
import { DiskStreamIndexStore } from './disk-stream-index-store.ts'

streamIndexStoreContract('disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-indexes-'))
  return Object.assign(new DiskStreamIndexStore({ directory }), {
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  })
})
