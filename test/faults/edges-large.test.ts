import { expect, test } from 'bun:test'

import { runEdgesInTheLarge } from '../edges-large/edges-in-the-large.ts'
import { measureOriginMemory } from '../edges-large/origin-memory.ts'
import { have } from '../support/needs.ts'
import { seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const [edges, cut, minutes] = [24, 4, 12]
/** Many times what each takes; of so few connections the noise of a collector is most of what is measured. */
const maxBytes = 1_000_000

const canRun = have('the memory of an origin', {
  what: 'Linux',
  howToGetIt: 'what a process holds is read from /proc there',
  isThere: () => process.platform === 'linux',
})

test(`${edges} edges, ${cut} of them in trouble at any time, show what was published and agree after ${minutes} minutes`, async () => {
  const seed = seedOf('edges in the large')
  const outcome = await runEdgesInTheLarge({ edges, cut, minutes, seed, onMinute: () => undefined })

  expect(outcome.faults).toEqual([])
  expect(outcome.agreeing).toBe(edges)
  expect(outcome.acknowledged).toBe(edges)
  // A run in which nothing happened proves nothing.
  expect(outcome.count.connections).toBeGreaterThan(2 * edges)
  expect(outcome.purgeMs.length).toBeGreaterThan(edges)
  for (const times of Object.values(outcome.troubles)) expect(times).toBeGreaterThan(0)
}, 300_000)

test.skipIf(!canRun)(
  'an origin hears edges over real sockets, and holds little for those that do not read',
  async () => {
    await using directory = await temporaryDirectory()
    const { path } = directory
    const options = { directory: path, edges: 40, slow: 10, warmBatches: 60, batches: 10 }
    const { withSlowBytes, waitingBytes } = await measureOriginMemory(options)

    expect(waitingBytes).toBeGreaterThan(50_000)
    expect(withSlowBytes).toBeLessThan(maxBytes)
  },
  300_000,
)
