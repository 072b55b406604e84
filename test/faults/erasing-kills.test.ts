import { expect, test } from 'bun:test'
import { createCipheriv } from 'node:crypto'
import { join } from 'node:path'

import { filesWithBlocks } from '../support/find-blocks.ts'
import { runGit } from '../support/git-client.ts'
import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

/** The figure is of 200; each is a start and a kill. */
const killCount = killsOf(6)
const limitMs = 60_000 + killCount * 20_000

const bytesOf = (number: number): Buffer<ArrayBuffer> =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16, number), Buffer.alloc(16)).update(
    Buffer.alloc(8 * 4096),
  )

interface Erasure {
  readonly Id: string
  readonly State: string
}

test(
  'an erasure that was answered is gone on with after each kill, and nothing else is lost',
  async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const random = createRandom(seedOf('kills of erasures'))
    const answered: string[] = []
    const stored: string[] = []
    for (let number = 0; number < killCount; number += 1) {
      await using service = await startService({ dataDirectory: data })
      const world = worldOf(service)
      if (number === 0) await world.zone('acme')
      const path = `acme/v1/films/secret-${number}.bin`
      await world.put(path, bytesOf(number))
      for (const name of ['a', 'b', 'c']) {
        const kept = `acme/v1/titles/${number}-${name}.txt`
        await world.put(kept, kept)
        stored.push(kept)
      }
      const ordered = await fetch(`${service.url}/api/core/erasures`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify({ Path: path, Reason: 'It must go', Confirm: path }),
      })
      expect(ordered.status).toBe(202)
      answered.push(((await ordered.json()) as Erasure).Id)
      // At any moment of what follows.
      await Bun.sleep(random.integer(0, 700))
      await service.kill()
    }

    await using service = await startService({ dataDirectory: data })
    await until(async () => {
      const response = await fetch(`${service.url}/api/core/erasures?limit=200`, {
        headers: account,
      })
      const { Erasures } = (await response.json()) as { Erasures: readonly Erasure[] }
      const done = new Set(Erasures.flatMap(({ Id, State }) => (State === 'done' ? Id : [])))
      return answered.every((id) => done.has(id))
    })
    for (const path of stored)
      expect(await (await fetch(`${service.url}/${path}`)).text()).toBe(path)
    for (let number = 0; number < killCount; number += 1) {
      const { status } = await fetch(`${service.url}/acme/v1/films/secret-${number}.bin`)
      expect(status).toBe(451)
      expect(await filesWithBlocks([data], bytesOf(number))).toEqual([])
    }
    const repository = join(data, 'repository.git')
    expect(await runGit(repository, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
  },
  limitMs,
)
