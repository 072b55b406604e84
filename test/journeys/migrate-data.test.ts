import { expect, test } from 'bun:test'

import { Client } from 'pg'

import { have, postgres, s3Server } from '../support/needs.ts'
import { openBlobServer, openDatabaseServer } from '../support/shared-servers.ts'
import { sedge } from '../support/sedge-command.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

if (have('moving to PostgreSQL and S3', postgres, s3Server))
  test('what is in a data directory moves to PostgreSQL and S3, is the same there, and moves once', async () => {
    await using database = await openDatabaseServer()
    await using blobs = await openBlobServer()
    await using directory = await temporaryDirectory()
    const dataDirectory = `${directory.path}/data`
    const before = await stateAfter(dataDirectory, {}, async (url) => {
      await fetch(`${url}/api/core/zones`, {
        method: 'POST',
        headers: account,
        body: '{"Name":"acme"}',
      })
      for (const name of ['a', 'b', 'c'])
        await fetch(`${url}/api/storage/acme/v1/logos/${name}.txt`, {
          method: 'PUT',
          headers: access,
          body: name.repeat(100_000),
        })
    })
    const certificates = `${dataDirectory}/certificates`
    await Bun.write(`${certificates}/a.example.json`, JSON.stringify(certificate))
    await Bun.write(`${certificates}/account.json`, '{"key":"of the account"}')
    const { accessKeyId, secretAccessKey } = blobs.credentials
    const elsewhere = {
      DATABASE_URL: await database.createDatabase(),
      BLOB_STORE: (await blobs.createBucket()).url(),
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
    const environment = { DATA_DIR: dataDirectory, ...elsewhere }
    const dry = await sedge(['migrate-data', '--dry-run'], environment)
    expect(dry.exitCode).toBe(0)
    for (const told of ['assets: 3 rows', 'of domains: 1', 'blobs: ', 'Nothing was copied'])
      expect(dry.out).toContain(told)

    expect(await sedge(['migrate-data'], environment)).toMatchObject({ exitCode: 0 })
    const kept = await certificatesIn(elsewhere.DATABASE_URL)
    expect(kept).toEqual([
      'a.example',
      expect.stringMatching(/^v1\./u),
      expect.stringMatching(/^v1\./u),
    ])
    expect(await stateAfter(dataDirectory, elsewhere)).toEqual(before)
    const again = await sedge(['migrate-data'], environment)
    expect(again.exitCode).toBe(1)
    expect(again.error).toContain('in use already')
  }, 240_000)

const certificate = {
  hostname: 'a.example',
  chain: 'public',
  key: 'private',
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2026-04-01T00:00:00Z',
}

/** The name, its sealed key and that of the account. */
async function certificatesIn(url: string): Promise<readonly unknown[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(
    'select c.hostname, c.sealed_key, a.sealed_key as account from certificates c, certificate_account a',
  )
  await client.end()
  return rows.flatMap(({ hostname, sealed_key, account: key }) => [hostname, sealed_key, key])
}

/** What a client sees of a service once `work` is done. */
async function stateAfter(
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
  work: (url: string) => Promise<void> = async () => {},
) {
  await using service = await startService({ dataDirectory, environment })
  await work(service.url)
  const listing = await fetch(`${service.url}/api/assets?project=acme`, { headers: access })
  const { Data: assets } = (await listing.json()) as { readonly Data: unknown }
  const audit = await fetch(`${service.url}/api/audit?limit=100`, { headers: account })
  const served = await fetch(`${service.url}/acme/v1/logos/b.txt`)
  return { assets, audit: audit.status, served: await served.text() }
}
