import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { temporaryDirectory, testKeys } from '../../../test/support/service-process.ts'
import { openSqliteDatabase } from '../../adapters/sql/sqlite/sqlite-database.ts'
import { completeConfig, readSettings } from '../../config/config.ts'
import { createLog } from '../../lib/log.ts'
import {
  keptCertificates,
  openCertificateFiles,
  openCertificateStore,
} from './certificate-store.ts'

const certificateOf = (hostname: string) => ({
  hostname,
  chain: `chain of ${hostname}`,
  key: 'very private',
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validUntil: new Date('2026-04-01T00:00:00Z'),
})

/** Nodes with a database that they share, whichever engine it has. */
async function openNodes() {
  const directory = await temporaryDirectory()
  const database = await openSqliteDatabase({ file: join(directory.path, 'shared.db') })
  const said: string[] = []
  return {
    database,
    said,
    async world(name: string, environment: Readonly<Record<string, string>> = {}) {
      const settings = readSettings({
        ...testKeys,
        DATA_DIR: join(directory.path, name),
        WEBHOOK_SECRET_KEY: 'the same at every node',
        DATABASE_URL: 'postgres://sedge@127.0.0.1/sedge',
        ...environment,
      })
      const { config } = await completeConfig(settings)
      const log = createLog({ level: 'debug', pretty: false, write: (line) => said.push(line) })
      return { config, log }
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

test('what one node had in files is taken along once, and every other node has it', async () => {
  await using nodes = await openNodes()
  const first = await nodes.world('first')
  const files = await openCertificateFiles(first)
  await files.put(certificateOf('a.example'))
  await files.keepAccountKey('account')
  const store = await openCertificateStore(first, nodes.database)
  expect(await store.list()).toEqual([certificateOf('a.example')])
  await store.remove('a.example')
  await store.put(certificateOf('b.example'))

  const other = await openCertificateStore(await nodes.world('other'), nodes.database)
  expect(await other.list()).toEqual([certificateOf('b.example')])
  expect(await other.accountKey()).toBe('account')
  const again = await openCertificateStore(first, nodes.database)
  expect(await again.list()).toEqual([certificateOf('b.example')])
})

test('a node that does not write has them at hand, and sees what another one changes', async () => {
  await using nodes = await openNodes()
  const store = await openCertificateStore(await nodes.world('writer'), nodes.database)
  const atHand = keptCertificates(await nodes.world('other'), nodes.database)
  expect((await atHand.digests()).size).toBe(0)
  await store.put(certificateOf('a.example'))

  expect([...(await atHand.digests()).keys()]).toEqual(['a.example'])
  expect(await atHand.find('a.example')).toEqual(certificateOf('a.example'))
  await store.remove('a.example')
  expect(await atHand.find('a.example')).toBeUndefined()
})

test('a secret of their own may be set later, and a node without it says what it cannot read', async () => {
  await using nodes = await openNodes()
  const plain = await nodes.world('plain')
  await (await openCertificateStore(plain, nodes.database)).put(certificateOf('a.example'))
  const secret = await nodes.world('secret', { SECRETS_KEY: 'a secret of their own' })
  const store = await openCertificateStore(secret, nodes.database)
  expect(await store.list()).toEqual([certificateOf('a.example')])

  expect(await keptCertificates(plain, nodes.database).find('a.example')).toBeUndefined()
  expect(nodes.said.join()).toContain('encrypted with another secret')
  expect(nodes.said.join()).not.toContain('very private')
})
