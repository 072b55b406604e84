import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { createS3Client, s3KeyFrom } from '../support/s3-client.ts'
import { createS3LedgerClient } from '../support/s3-ledger.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const cycles = killsOf(6)
const clientCount = 3
const environment = { UPLOADS_PER_NETWORK: '100000', UPLOADS_PER_ZONE: '100000' }

test(
  `${cycles} kills at random moments of parts and small objects lose nothing acknowledged and show nothing half`,
  async () => {
    const random = createRandom(seedOf('S3 kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = Array.from({ length: clientCount }, (_, index) =>
      createS3LedgerClient(`client-${index}`, random),
    )
    const counts = () => ({
      objects: sumOf(clients, ({ acknowledgedObjects }) => acknowledgedObjects),
      parts: sumOf(clients, ({ acknowledgedParts }) => acknowledgedParts),
    })
    let credentials: Awaited<ReturnType<typeof s3KeyFrom>> | undefined
    const open = async (url: string) => {
      const send = (path: string, init: RequestInit) => fetch(`${url}${path}`, init)
      credentials ??= await s3KeyFrom(send)
      return createS3Client({ send, credentials, origin: url })
    }

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory, environment })
      if (cycle === 0) await createZone(service.url)
      const s3 = await open(service.url)
      await Promise.all(clients.map((client) => client.verify(s3)))
      const { parts } = counts()
      const working = Promise.all(clients.map((client) => client.work(s3)))
      // On a slow machine nothing large would ever come through before the kill.
      if (cycle % 2 === 0)
        await Promise.race([working, until(() => counts().parts > parts, 'no part came through')])
      await Bun.sleep(random.integer(20, 900))
      await service.kill()
      await working
    }

    await using service = await startService({ dataDirectory, environment })
    const s3 = await open(service.url)
    await Promise.all(clients.map((client) => client.verify(s3)))
    expect(fsck(dataDirectory)).toBe('')
    const { objects, parts } = counts()
    console.log(`${cycles} kills, ${objects} acknowledged objects, ${parts} parts, none lost`)
    expect(objects).toBeGreaterThan(0)
    expect(parts).toBeGreaterThan(0)
  },
  cycles * 40_000 + 60_000,
)

function sumOf<T>(all: readonly T[], count: (one: T) => number): number {
  return all.reduce((sum, one) => sum + count(one), 0)
}

async function createZone(url: string): Promise<void> {
  const body = '{"Name":"kills"}'
  const response = await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })
  expect(response.status).toBe(201)
}
