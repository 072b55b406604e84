import { expect, test } from 'bun:test'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import { listBlobs } from '../../src/adapters/disk/list-blobs.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`)
const contentOf = (name: string) => `this is ${name}`

/** What a file system may have of files that were never flushed: nothing, or a name without bytes. */
async function loseBytes(directory: string): Promise<number> {
  let lost = 0
  for await (const { sha256 } of listBlobs(directory)) {
    const path = join(directory, 'sha256', sha256.slice(0, 2), sha256.slice(2, 4), sha256.slice(4))
    await (lost % 2 === 0 ? rm(path) : truncate(path))
    lost += 1
  }
  return lost
}

for (const when of ['before the next checkpoint', 'before the first one'] as const)
  test(`files whose bytes a power cut took ${when} come back from the repository`, async () => {
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const blobs = join(dataDirectory, 'blobs')
    const checkpoint = join(blobs, 'checkpoint')
    {
      await using service = await startService({ dataDirectory })
      await fetch(`${service.url}/api/core/zones`, {
        method: 'POST',
        headers: account,
        body: '{"Name":"acme"}',
      })
    }
    const before = await Bun.file(checkpoint).text()
    {
      await using service = await startService({ dataDirectory })
      for (const name of names) {
        const url = `${service.url}/api/storage/acme/v1/logos/${name}`
        const put = { method: 'PUT', headers: access, body: contentOf(name) }
        expect((await fetch(url, put)).status).toBe(201)
      }
      // So that there is a file of each to lose; of what a kill finds in memory there is none.
      await service.stop()
    }
    await rm(checkpoint)
    if (when === 'before the next checkpoint') await Bun.write(checkpoint, before)
    expect(await loseBytes(blobs)).toBeGreaterThanOrEqual(names.length)

    await using service = await startService({ dataDirectory })
    for (const name of names) {
      const response = await fetch(`${service.url}/acme/v1/logos/${name}`)
      expect(await response.text()).toBe(contentOf(name))
    }
  }, 60_000)
