import { expect, test } from 'bun:test'

import { refusalsOf } from '../../src/client/archive-results.ts'
import { tarArchive } from '../../src/client/tar-archive.ts'
import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const killCount = killsOf(2)
const fileCount = 12_000

const files = Array.from({ length: fileCount }, (_, place) => ({
  path: `acme/v1/icons/${place}.txt`,
  bytes: new TextEncoder().encode(`file ${place}`),
}))

test(
  'a kill in the middle of an archive leaves whole commits, and the same archive again does the rest',
  async () => {
    await using directory = await temporaryDirectory()
    const random = createRandom(seedOf('kills of archives'))
    const body = new Blob([...tarArchive(files)])
    for (let number = 0; number < killCount; number += 1) {
      await using service = await startService({ dataDirectory: directory.path })
      const world = worldOf(service)
      if (number === 0) await world.zone('acme')
      const sending = world.client
        .putArchive({ body })
        .then((response) => response.text())
        .catch(() => undefined)
      await Bun.sleep(random.integer(100, 3000))
      await service.kill()
      await sending
    }
    await using service = await startService({ dataDirectory: directory.path })
    const { client } = worldOf(service)
    const before = await client.listDirectory('acme/v1/icons').catch(() => [])
    // Commits end where 5,000 files are, and where nothing more was to be stored.
    expect([0, 5_000, 10_000, 12_000]).toContain(before.length)
    const text = await (await client.putArchive({ body })).text()
    expect(refusalsOf(text).size).toBe(0)
    const end = JSON.parse(text.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
    expect(end).toMatchObject({ Created: fileCount - before.length, Unchanged: before.length })
    expect(await client.listDirectory('acme/v1/icons')).toHaveLength(fileCount)
  },
  60_000 + killCount * 30_000,
)
