import { expect, test } from 'bun:test'

import { have } from '../support/needs.ts'
import { seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { soak } from '../soak/soak.ts'
import { judge } from '../soak/verdict.ts'

const canRun = have('what a service takes of the machine', {
  what: 'Linux',
  howToGetIt: 'what a process holds is read from /proc there',
  isThere: () => process.platform === 'linux',
})
const seconds = 16

test.skipIf(!canRun)(
  `${seconds} seconds of everything at once, with a kill of the service, are answered as they should be`,
  async () => {
    await using directory = await temporaryDirectory()
    const soaked = await soak({
      directory: directory.path,
      seconds,
      seed: seedOf('soak'),
      sampleEveryMs: 500,
      onSample: () => undefined,
    })

    expect(soaked.faults).toEqual([])
    expect(soaked.webhooks).toBeGreaterThan(0)
    for (const load of ['reads', 'writes', 'transforms', 'streams', 'searches', 'pushes'])
      expect({ load, done: soaked.doneByName.get(load) ?? 0 }).not.toEqual({ load, done: 0 })
    // So short a time says nothing of growth, but all that is judged has to be there.
    const { rows } = judge(soaked)
    expect(rows.map(({ what }) => what)).toContain('resident memory of the service')
    expect(rows.map(({ what }) => what)).toContain('disk: repository.git, for each commit')
    expect(soaked.samples.at(-1)?.descriptors ?? 0).toBeGreaterThan(10)
  },
  300_000,
)
