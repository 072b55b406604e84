import { createHash } from 'node:crypto'

import { Client } from 'pg'

/** Names a PostgreSQL server and an S3 bucket (as BLOB_STORE) that services of tests are to use. */
export const databaseServerName = 'TEST_DATABASE_SERVER'
export const bucketName = 'TEST_BUCKET'

/**
 * The settings by which a service keeps all it can on servers: a database and a part of the bucket for
 * each data directory, so that a restart finds what was there. None where no servers are named.
 */
export async function storesElsewhere(dataDirectory: string): Promise<Record<string, string>> {
  const [server, bucket] = [process.env[databaseServerName], process.env[bucketName]]
  if (server === undefined || bucket === undefined) return {}
  const name = `sedge_${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`
  const client = new Client(`${server}/postgres`)
  await client.connect()
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${name}`)
  await client.end()
  const blobStore = new URL(bucket)
  blobStore.pathname = `/${name}`
  return {
    DATABASE_URL: `${server}/${name}`,
    BLOB_STORE: blobStore.href,
    S3_ACCESS_KEY_ID: process.env['S3_ACCESS_KEY_ID'] ?? '',
    S3_SECRET_ACCESS_KEY: process.env['S3_SECRET_ACCESS_KEY'] ?? '',
  }
}
