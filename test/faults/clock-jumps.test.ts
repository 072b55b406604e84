import { expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  acknowledgedBy,
  createClients,
  createZones,
  fsck,
  verify,
  work,
} from '../support/ledger-clients.ts'
import { openLocalService } from '../support/local-service.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

/** How many, or what `npm run crash -- --clock-jumps` says. */
const jumps = Number(process.env['SEDGE_CLOCK_JUMPS'] ?? 6)
const jumpsEach = 3
const dayMs = 86_400_000

test(
  `${jumps} jumps of the clock, forwards and backwards, lose nothing that was acknowledged`,
  async () => {
    const random = createRandom(seedOf('jumps of the clock'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = createClients(3, random)
    // Each start is a jump back to the real time as well.
    for (let count = 0; count < jumps; count += jumpsEach) {
      await using service = await openLocalService({
        dataDirectory,
        environment: { SEARCH_BY_NAME_ONLY: 'true' },
      })
      if (count === 0) await createZones(clients, service.url)
      await verify(clients, service)
      const end = new AbortController()
      const working = Promise.all(clients.map((client) => work(client, service.url, end.signal)))
      for (let jump = 0; jump < jumpsEach; jump += 1) {
        const enough = acknowledgedBy(clients) + random.integer(1, 10)
        await until(() => acknowledgedBy(clients) >= enough, 'the clock stopped the writes')
        service.wait(random.integer(-30 * dayMs, 30 * dayMs))
      }
      end.abort()
      await working
      await verify(clients, service)
      expect(fsck(dataDirectory)).toBe('')
    }
    console.log(
      `${jumps} jumps of the clock, ${acknowledgedBy(clients)} acknowledged writes, none lost`,
    )
  },
  jumps * 30_000 + 60_000,
)
