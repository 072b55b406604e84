import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { createS3Client, openS3Client, type S3Client } from '../support/s3-client.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const cycles = killsOf(5)
const writers = 4

test(
  `${cycles} kills lose no object that was acknowledged, nor what was said of it`,
  async () => {
    const random = createRandom(seedOf('s3 kills'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    /** By key what the last acknowledged write left, and what a later one may have. */
    const ledger = new Map<string, readonly (string | undefined)[]>()
    let credentials: S3Client['credentials'] | undefined
    let acknowledged = 0

    const connect = async (url: string): Promise<S3Client> => {
      if (credentials === undefined) {
        await fetch(`${url}/api/core/zones`, {
          method: 'POST',
          headers: account,
          body: JSON.stringify({ Name: 'acme' }),
        })
        const first = await openS3Client({ url })
        ;({ credentials } = first)
        return first
      }
      return createS3Client({
        send: (path, init) => fetch(`${url}${path}`, init),
        origin: url,
        credentials,
      })
    }

    const write = async (s3: S3Client, writer: number, cycle: number): Promise<void> => {
      for (let count = 0; ; count += 1) {
        const key = `w${writer}/${random.integer(0, 5)}.txt`
        const isRemoval = random.integer(0, 5) === 0
        const body = isRemoval ? undefined : `${cycle} ${writer} ${count}`
        const before = ledger.get(key) ?? [undefined]
        ledger.set(key, [...before, body])
        try {
          const response = await (body === undefined
            ? s3.delete(`acme/${key}`)
            : s3.put(`acme/${key}`, body, { 'x-amz-meta-said': body }))
          await response.text()
          if (response.status >= 300) return
          ledger.set(key, [body])
          acknowledged += 1
        } catch {
          return
        }
      }
    }

    const verify = async (s3: S3Client): Promise<void> => {
      for (const [key, possible] of ledger) {
        const response = await s3.get(`acme/${key}`)
        const text = await response.text()
        const found = response.status === 404 ? undefined : text
        expect(possible).toContain(found)
        ledger.set(key, [found])
        if (found === undefined) continue
        expect(response.headers.get('x-amz-meta-said')).toBe(found)
        expect(response.headers.get('etag')).toBe(
          `"${createHash('md5').update(found).digest('hex')}"`,
        )
      }
    }

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      const s3 = await connect(service.url)
      await verify(s3)
      const working = Array.from({ length: writers }, (_, writer) => write(s3, writer, cycle))
      // A busy machine may take long over the first; what follows is cut off anywhere.
      const before = acknowledged
      await Promise.race([until(() => acknowledged >= before + 2), Promise.all(working)])
      await Bun.sleep(random.integer(0, 500))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await startService({ dataDirectory })
    await verify(await connect(service.url))
    console.log(`${cycles} kills, ${acknowledged} acknowledged writes by S3, none lost`)
    expect(acknowledged).toBeGreaterThan(0)
  },
  cycles * 20_000 + 60_000,
)
