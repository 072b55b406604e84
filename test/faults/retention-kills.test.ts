import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { video, former, importOutdatedZones, old } from '../fixtures/outdated-zones.ts'
import { filesWithBlocks } from '../support/find-blocks.ts'
import { runGit } from '../support/git-client.ts'
import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

/** Each is a start, the wait for what is done then, and a kill. */
const killCount = killsOf(4)
const limitMs = 60_000 + killCount * 20_000
/** So long after its start a service looks for what is outdated. */
const firstLookMs = 5_000

test(
  'what a kill breaks off of letting go is done at the next start, and nothing else is lost',
  async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const [first = '', second = ''] = await importOutdatedZones(data, { historyDays: 30 })
    const random = createRandom(seedOf('kills of retentions'))
    const stored: string[] = []
    for (let number = 0; number < killCount; number += 1) {
      await using service = await startService({ dataDirectory: data })
      const path = `acme/v1/titles/${number}.txt`
      await worldOf(service).put(path, path)
      stored.push(path)
      // At any moment of what follows.
      await Bun.sleep(firstLookMs + random.integer(-500, 800))
      await service.kill()
    }

    await using service = await startService({ dataDirectory: data })
    const answerOf = (commit: string) => fetch(`${service.url}/@${commit}/${video}`)
    await until(async () => {
      const zone = await fetch(`${service.url}/api/core/zones/acme`, { headers: account })
      const { HistorySince } = (await zone.json()) as { readonly HistorySince: string | null }
      return HistorySince !== null
    })
    expect((await answerOf(first)).status).toBe(410)
    expect(await (await answerOf(second)).text()).toBe(former)
    for (const path of stored)
      expect(await (await fetch(`${service.url}/${path}`)).text()).toBe(path)
    expect(await filesWithBlocks([data], Buffer.from(old))).toEqual([])
    const repository = join(data, 'repository.git')
    expect(await runGit(repository, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
  },
  limitMs,
)
