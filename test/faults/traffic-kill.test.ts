import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import {
  access,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { storeAssets } from '../support/traffic-replay.ts'
import { until } from '../support/until.ts'

const cycles = killsOf(2)
const clientCount = 4
/** What a kill may cost. */
const lostMs = 5_000
const deadlineMs = 10_000

/** When each response had arrived, by the test's own clock. */
type Arrivals = number[]

/** Asks until the service is gone. */
async function work({ url }: ServiceProcess, path: string, arrivals: Arrivals): Promise<void> {
  for (;;)
    try {
      const response = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(deadlineMs) })
      await response.arrayBuffer()
      arrivals.push(performance.now())
    } catch {
      return
    }
}

async function countedRequests({ url }: ServiceProcess): Promise<number> {
  const response = await fetch(`${url}/api/insights/summary?days=2`, {
    headers: access,
    signal: AbortSignal.timeout(deadlineMs),
  })
  const { TotalRequests: total } = (await response.json()) as { TotalRequests: number }
  return total
}

test(
  `${cycles} kills under load cost at most the last five seconds of counts and double none`,
  async () => {
    const random = createRandom(seedOf('traffic kills'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    let before = 0
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      const [asset] = cycle === 0 ? await storeAssets(service) : stored
      if (asset === undefined) throw new Error('nothing was stored')
      const arrivals: Arrivals = []
      const workers = Array.from({ length: clientCount }, () => work(service, asset.path, arrivals))
      await Bun.sleep(random.integer(5_500, 8_500))
      // On a slow machine the first may have come late.
      await until(() => performance.now() - (arrivals[0] ?? Infinity) > lostMs)
      const killedAt = performance.now()
      await service.kill()
      await Promise.all(workers)

      await using restarted = await startService({ dataDirectory })
      const counted = (await countedRequests(restarted)) - before
      before += counted
      const sure = arrivals.filter((at) => at < killedAt - lostMs).length
      // A response may have been counted and then cut off on its way.
      expect(counted).toBeLessThanOrEqual(arrivals.length + clientCount)
      expect(counted).toBeGreaterThanOrEqual(sure)
      expect(sure).toBeGreaterThan(0)
      console.log(`answered ${arrivals.length}, older than 5 s ${sure}, counted ${counted}`)
    }
  },
  cycles * 40_000,
)

const stored = [{ path: 'aka/v1/icons/small.bin' }]
