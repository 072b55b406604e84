import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { temporaryDirectory } from '../../../../test/support/service-process.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { createTextSealer } from '../../../lib/secrets/text-sealer.ts'
import { certificateStoreContract } from '../../../ports/domains/certificate-store.contract.ts'
import { SqlCertificateStore } from './sql-certificate-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

async function inDatabase() {
  const directory = await temporaryDirectory()
  const database = await openSqliteDatabase({ file: join(directory.path, 'sedge.db') })
  const unreadable: string[] = []
  return {
    database,
    unreadable,
    open: (first = 'secret', ...former: readonly string[]) =>
      SqlCertificateStore.open({
        database,
        sealer: createTextSealer(
          [new Secret(first), ...former.map((text) => new Secret(text))],
          'certificates',
        ),
        onUnreadable: (place, why) => unreadable.push(`${place}: ${why}`),
      }),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

const certificate = {
  hostname: 'a.example',
  chain: 'public',
  key: 'very private',
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validUntil: new Date('2026-04-01T00:00:00Z'),
}

certificateStoreContract('sqlite', async () => {
  const place = await inDatabase()
  return {
    store: await place.open(),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
})

test('whoever copies the database has no key', async () => {
  await using place = await inDatabase()
  const store = await place.open()
  await store.put(certificate)
  await store.keepAccountKey('very private too')
  const rows = await place.database.queries.selectFrom('certificates').selectAll().execute()
  const account = await place.database.queries
    .selectFrom('certificate_account')
    .selectAll()
    .execute()

  expect(JSON.stringify([rows, account])).not.toContain('very private')
})

test('another node with the same secret reads what one has kept', async () => {
  await using place = await inDatabase()
  await (await place.open()).put(certificate)

  expect(await (await place.open()).list()).toEqual([certificate])
})

test('after a change of the secret the former one opens what is sealed anew then', async () => {
  await using place = await inDatabase()
  const former = await place.open('old')
  await former.put(certificate)
  await former.keepAccountKey('account')
  await place.open('new', 'old')
  const store = await place.open('new')

  expect(await store.list()).toEqual([certificate])
  expect(await store.accountKey()).toBe('account')
  expect(place.unreadable).toEqual([])
})

test('what another secret sealed, or was moved to another name, is left out and named', async () => {
  await using place = await inDatabase()
  await (await place.open('lost')).put(certificate)
  const store = await place.open('another')
  await store.put({ ...certificate, hostname: 'b.example' })
  await place.database.transaction(async (transaction) => {
    await transaction
      .updateTable('certificates')
      .set({ hostname: 'c.example' })
      .where('hostname', '=', 'b.example')
      .execute()
  })

  expect(await store.list()).toEqual([])
  const why = 'its key was encrypted with another secret'
  expect(place.unreadable).toEqual([`a.example: ${why}`, `c.example: ${why}`])
})
