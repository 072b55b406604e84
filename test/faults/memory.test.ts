import { expect, test } from 'bun:test'

import { peakGrowth, residentBytes } from '../../bench/process-usage.ts'
import { mixedRequest, publishForLoad } from '../support/mixed-load.ts'
import { have } from '../support/needs.ts'
import { createRandom } from '../support/random.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const canRun = have('the memory of a service', {
  what: 'Linux',
  howToGetIt: 'what a process holds is read from /proc there',
  isThere: () => process.platform === 'linux',
})
const requestsPerRound = 2_000
const clients = 8
/** The most that a PUT takes, and three times as much. */
const putBytes = 25_000_000
const uploadBytes = 75_000_000
/** Of 200 MB and of 600 MB at once. What grows is the same for both: chunks, and when they are let go of. */
const maxPeakGrowth = 130e6
/** A round breaks off 200 downloads of 4 MB: what is not let go of is seen at once. */
const maxGrowth = 1.5

test.skipIf(!canRun)(
  'mixed requests, many of them broken off, leave the memory of the service as it is',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: directory.path })
    await publishForLoad(service.url)
    const round = async (seed: number): Promise<number> => {
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const random = createRandom(seed * clients + client)
          for (let sent = 0; sent < requestsPerRound / clients; sent += 1)
            await mixedRequest(service.url, random)
        }),
      )
      return await residentBytes(service.pid)
    }
    await round(0)
    const warm = await round(1)
    for (const seed of [2, 3, 4]) await round(seed)

    expect(await round(5)).toBeLessThan(warm * maxGrowth)
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
  },
  120_000,
)

test.skipIf(!canRun)(
  'eight bodies of 25 MB by PUT at once, and of 75 MB as uploads, take the memory of a few chunks each',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: directory.path })
    const body = '{"Name":"large"}'
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
    const send = async (method: string, path: string, bytes: Uint8Array<ArrayBuffer>) => {
      const init = { method, headers: access, body: bytes }
      const response = await fetch(`${service.url}${path}`, init)
      expect(response.status).toBe(201)
      await response.arrayBuffer()
    }
    const put = (index: number) =>
      send('PUT', `/api/storage/large/v1/put-${index}.bin`, new Uint8Array(putBytes).fill(index))
    const upload = (index: number) =>
      send(
        'POST',
        `/api/uploads?path=large/v1/upload-${index}.bin`,
        new Uint8Array(uploadBytes).fill(index + 100),
      )
    for (const one of [put, upload]) {
      await one(99)
      const growth = await peakGrowth(service.pid, async () => {
        await Promise.all(Array.from({ length: 8 }, (_, index) => one(index)))
      })
      expect(growth).toBeLessThan(maxPeakGrowth)
    }
  },
  120_000,
)
