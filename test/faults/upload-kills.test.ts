import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { createUploadClient, type UploadClient } from '../support/upload-ledger.ts'

const cycles = killsOf(8)
const clientCount = 4
const firstPieceMs = 5_000
const environment = { UPLOADS_PER_NETWORK: '100000', UPLOADS_PER_ZONE: '100000' }

test(
  `${cycles} kills at random moments of uploads lose no acknowledged byte and show no half file`,
  async () => {
    const random = createRandom(seedOf('upload kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = Array.from({ length: clientCount }, (_, index) =>
      createUploadClient(`client-${index}`, random),
    )
    const verify = async (url: string) =>
      await Promise.all(clients.map((client) => client.verify(url)))

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory, environment })
      if (cycle === 0) await createZone(service.url)
      await verify(service.url)
      const before = acknowledgedBy(clients)
      const working = clients.map((client) => client.work(service.url))
      // A slow machine may need longer than that for its first piece, and a kill is to hit among pieces.
      const patience = Date.now() + firstPieceMs
      while (acknowledgedBy(clients) === before && Date.now() < patience) await Bun.sleep(5)
      await Bun.sleep(random.integer(20, 600))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await startService({ dataDirectory, environment })
    await verify(service.url)
    expect(fsck(dataDirectory)).toBe('')
    const pieces = acknowledgedBy(clients)
    const files = clients.reduce((sum, { finishedFiles }) => sum + finishedFiles, 0)
    console.log(`${cycles} kills, ${pieces} acknowledged pieces of ${files} files, none lost`)
    expect(pieces).toBeGreaterThan(0)
    // At most one upload a client is under way.
    const staged = await readdir(join(dataDirectory, 'blobs', 'staged')).catch(() => [])
    const known = staged.filter((name) => name.endsWith('.bytes'))
    expect(known.length).toBeLessThanOrEqual(clientCount)
  },
  cycles * 30_000 + 60_000,
)

const acknowledgedBy = (clients: readonly UploadClient[]): number =>
  clients.reduce((sum, { acknowledgedPieces }) => sum + acknowledgedPieces, 0)

async function createZone(url: string): Promise<void> {
  const body = '{"Name":"uploads"}'
  const response = await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })
  expect(response.status).toBe(201)
}
