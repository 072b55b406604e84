import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import {
  acknowledgedBy,
  createClients,
  createZones,
  fsck,
  verify,
  work,
} from '../support/ledger-clients.ts'
import { createRandom, type Random, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const cycles = killsOf(20)
const clientCount = 4
/** git looks through all that was ever written after each kill, which takes longer and longer. */
const mostInOneDirectory = 50

test(
  `${cycles} kills at random moments lose nothing that was acknowledged and leave nothing half done`,
  async () => {
    const random = createRandom(seedOf('kill loop'))
    let acknowledged = 0
    for (let done = 0; done < cycles; done += mostInOneDirectory)
      acknowledged += await killOften(Math.min(mostInOneDirectory, cycles - done), random)
    console.log(`${cycles} kills, ${acknowledged} acknowledged writes, none lost`)
    expect(acknowledged).toBeGreaterThan(0)
  },
  cycles * 20_000 + 60_000,
)

/** How many writes a data directory of its own acknowledged, and had after each kill. */
async function killOften(kills: number, random: Random): Promise<number> {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const clients = createClients(clientCount, random)

  for (let kill = 0; kill < kills; kill += 1) {
    const service = await startService({ dataDirectory })
    if (kill === 0) await createZones(clients, service.url)
    await verify(clients, service)
    expect(fsck(dataDirectory)).toBe('')
    const before = acknowledgedBy(clients)
    const working = clients.map((client) => work(client, service.url))
    // However slow the machine is, a kill is among writes; when exactly, is chance.
    const enough = before + random.integer(1, 120)
    const isEnough = until(() => acknowledgedBy(clients) >= enough, 'too few writes came through')
    await Promise.race([isEnough, Promise.all(working)])
    await Bun.sleep(random.integer(0, 50))
    await service.kill()
    await Promise.all(working)
  }

  await using service = await startService({ dataDirectory })
  await verify(clients, service)
  return acknowledgedBy(clients)
}
