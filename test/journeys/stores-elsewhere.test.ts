import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { have, postgres, s3Server } from '../support/needs.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startS3 } from '../support/s3-server.ts'
import { standbyName } from '../support/service-process.ts'
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

/** Of these, what asks a real process; but for insights, since what other nodes counted comes a little later. */
const filesOfNodes = [
  'asset-history',
  'client',
  'keys-and-tokens',
  'webhooks',
  'delivery-cache',
].map((name) => `test/journeys/${name}.test.ts`)

/** What failed of the files, with everything of every service on servers. */
async function runElsewhere(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  await using database = await startPostgres({ flushes: false })
  await using blobs = await startS3()
  const bucket = await blobs.createBucket()
  const { accessKeyId, secretAccessKey } = blobs.credentials
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...paths], {
    cwd: join(import.meta.dir, '..', '..'),
    env: {
      ...process.env,
      ...environment,
      [databaseServerName]: `postgres://sedge@127.0.0.1:${database.port}`,
      [bucketName]: bucket.url(),
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = await new Response(child.stderr).text()

  const failed = said.split('\n').filter((line) => line.startsWith('(fail)'))
  // They really were there.
  const { bucket: name } = bucket.location()
  expect((await readdir(join(blobs.files, name))).length).toBeGreaterThan(paths.length / 2)
  return (await child.exited) === 0 ? failed : [...failed, said.slice(-2_000)]
}

if (have('journeys on PostgreSQL and S3', postgres, s3Server)) {
  test('with metadata in PostgreSQL and blobs in S3 every journey is the same', async () => {
    expect(await runElsewhere(files, {})).toEqual([])
  }, 600_000)

  test('asked through a node that does not write, every journey is the same', async () => {
    expect(await runElsewhere(filesOfNodes, { [standbyName]: 'true' })).toEqual([])
  }, 600_000)
}
