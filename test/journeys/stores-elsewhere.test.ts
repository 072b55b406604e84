import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Client } from 'pg'

import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { openBlobServer } from '../support/shared-servers.ts'
import { bucketName, storesElsewhere } from '../support/stores-elsewhere.ts'

const bucket = process.env[bucketName]

// `npm test elsewhere` runs it, and `npm test servers` all files that it speaks for.
if (bucket === undefined) console.log('skipped: stores elsewhere: needs a run that names them')
else
  test('what a service of this run takes is on the servers, and not in its directory', async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: directory.path })
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: '{"Name":"acme"}',
    })
    const body = crypto.randomUUID().repeat(10_000)
    const stored = await fetch(`${service.url}/api/storage/acme/v1/large.txt`, {
      method: 'PUT',
      headers: access,
      body,
    })
    expect(stored.status).toBe(201)
    const { DATABASE_URL, BLOB_STORE } = await storesElsewhere(directory.path)
    const client = new Client(DATABASE_URL)
    await client.connect()
    const { rows } = await client.query('select path from assets')
    await client.end()
    expect(rows).toEqual([{ path: 'acme/v1/large.txt' }])
    await using blobs = await openBlobServer()
    const { hostname, pathname } = new URL(BLOB_STORE ?? '')
    const sha256 = new Bun.CryptoHasher('sha256').update(body).digest('hex')
    expect(await readdir(join(blobs.files, hostname, pathname, 'blobs'))).toContain(sha256)
    const here = await readdir(directory.path, { recursive: true })
    const copies = /(?:^|\/)cache\/blobs\//u
    expect(here.filter((path) => /\bblobs\//u.test(path) && !copies.test(path))).toEqual([])
  }, 60_000)
