import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { sedge } from '../support/sedge-command.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

/** Large enough to be kept beside git, as it is set here. */
const sizeBytes = 1_100_000
const environment = { LFS_ABOVE_MB: '1' }
const rounds = 6
const clients = 4

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Stores files that overwrite and delete each other until the service is gone; notes what was answered. */
async function writeOn(url: string, client: number, answered: Map<string, string | undefined>) {
  for (let count = 0; ; count += 1) {
    const path = `acme/v1/titles/${client}-${count % 3}.mp4`
    const isDeleted = count % 5 === 4
    const body = Buffer.alloc(count % 4 === 3 ? 100 : sizeBytes, `${client} ${count} ${url} `)
    const init = isDeleted ? { method: 'DELETE' } : { method: 'PUT', body }
    try {
      const response = await fetch(`${url}/api/storage/${path}`, { ...init, headers: access })
      if (response.ok) answered.set(path, isDeleted ? undefined : sha256(body))
      // What was not answered may be there or not.
      else answered.delete(path)
      await response.arrayBuffer()
    } catch {
      answered.delete(path)
      return
    }
  }
}

test('killed at any moment, no large file that was answered is lost, and nothing is pointed at that is not there', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const answered = new Map<string, string | undefined>()
  for (let round = 0; round < rounds; round += 1) {
    await using service = await startService({ dataDirectory, environment })
    const { url } = service
    if (round === 0)
      await fetch(`${url}/api/core/zones`, {
        method: 'POST',
        headers: account,
        body: '{"Name":"acme"}',
      })
    for (const [path, expected] of answered) {
      const response = await fetch(`${url}/api/storage/${path}`, { headers: access })
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect([path, response.ok ? sha256(bytes) : undefined]).toEqual([path, expected])
    }
    const writing = Array.from({ length: clients }, (_, client) => writeOn(url, client, answered))
    // Each round at another moment of what is going on.
    while (answered.size < 3 + round) await Bun.sleep(7 + round)
    await service.kill()
    await Promise.all(writing)
  }
  const examined = await sedge(['doctor'], { ...environment, DATA_DIR: dataDirectory })
  expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
}, 120_000)
