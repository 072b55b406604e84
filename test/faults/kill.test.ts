import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { createClients, createZones, fsck, verify, work } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(20)
const clientCount = 4

test(
  `${cycles} kills at random moments lose nothing that was acknowledged and leave nothing half done`,
  async () => {
    const random = createRandom(seedOf('kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = createClients(clientCount, random)

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      if (cycle === 0) await createZones(clients, service.url)
      await verify(clients, service)
      expect(fsck(dataDirectory)).toBe('')
      const working = clients.map((client) => work(client, service.url))
      await Bun.sleep(random.integer(50, 400))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await startService({ dataDirectory })
    await verify(clients, service)
    const acknowledged = clients.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0)
    console.log(`${cycles} kills, ${acknowledged} acknowledged writes, none lost`)
    expect(acknowledged).toBeGreaterThan(0)
  },
  cycles * 20_000 + 60_000,
)
