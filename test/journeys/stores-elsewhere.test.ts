import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { have, postgres, s3Server } from '../support/needs.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startS3 } from '../support/s3-server.ts'
import { bucketName, databaseServerName } from '../support/stores-elsewhere.ts'

/** What the service does, seen from outside: none of it may depend on where things are kept. */
const files = [
  'test/journeys/first-hour.test.ts',
  'test/journeys/asset-history.test.ts',
  'test/journeys/client.test.ts',
  'test/journeys/keys-and-tokens.test.ts',
  'test/journeys/webhooks.test.ts',
  'test/journeys/insights.test.ts',
  'test/journeys/delivery-cache.test.ts',
  'test/contract/core.test.ts',
  'test/contract/storage.test.ts',
  'test/contract/assets.test.ts',
  'test/contract/purge.test.ts',
]

if (have('journeys on PostgreSQL and S3', postgres, s3Server))
  test('with metadata in PostgreSQL and blobs in S3 every journey is the same', async () => {
    await using database = await startPostgres({ flushes: false })
    await using blobs = await startS3()
    const bucket = await blobs.createBucket()
    const { accessKeyId, secretAccessKey } = blobs.credentials
    const child = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...files], {
      cwd: join(import.meta.dir, '..', '..'),
      env: {
        ...process.env,
        [databaseServerName]: `postgres://sedge@127.0.0.1:${database.port}`,
        [bucketName]: bucket.url(),
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = await new Response(child.stderr).text()

    expect(said.split('\n').filter((line) => line.startsWith('(fail)'))).toEqual([])
    expect(await child.exited).toBe(0)
    // They really were there.
    const { bucket: name } = bucket.location()
    expect((await readdir(join(blobs.files, name))).length).toBeGreaterThan(10)
  }, 600_000)
