import { join } from 'node:path'

import { DiskCertificateStore } from '../../adapters/disk/disk-certificate-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { SqlCertificateStore } from '../../adapters/sql/domains/sql-certificate-store.ts'
import { certificateDigest } from '../../domain/edges/certificates/certificate-messages.ts'
import type { HandedOutCertificates } from '../../domain/edges/certificates/handed-out-certificates.ts'
import { createTextSealer, type TextSealer } from '../../lib/secrets/text-sealer.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import type { CertificateStore } from '../../ports/domains/certificate-store.ts'
import type { World } from '../world.ts'

type StoreWorld = Pick<World, 'config' | 'log'>

/** Beside the metadata: files where that is SQLite's, a table where it is PostgreSQL's. */
export async function openCertificateStore(
  world: StoreWorld,
  database: Database,
): Promise<CertificateStore> {
  if (world.config.databaseUrl === undefined) return await openCertificateFiles(world)
  const store = await SqlCertificateStore.open(rowsOf(world, database))
  if ((await store.list()).length === 0 && (await store.accountKey()) === undefined)
    await takeAlong(await openCertificateFiles(world), store)
  return store
}

/** What a node that does not write has at hand, without asking the one that does. */
export function keptCertificates(world: StoreWorld, database: Database): HandedOutCertificates {
  const store = SqlCertificateStore.reader(rowsOf(world, database))
  return {
    async digests() {
      const all = await store.list()
      return new Map(all.map((each) => [each.hostname, certificateDigest(each)]))
    },
    find: (hostname) => store.find(hostname),
  }
}

const rowsOf = ({ config, log }: StoreWorld, database: Database) => ({
  database,
  sealer: sealerOfAll(config),
  onUnreadable: (place: string, why: string) =>
    log.error('a kept certificate cannot be used', { place, why }),
})

/** Those in the data directory. */
export async function openCertificateFiles({ config, log }: StoreWorld): Promise<CertificateStore> {
  const { secretsKey, secretsKeyPrevious: former, dataDirectory } = config
  return await DiskCertificateStore.open({
    directory: join(dataDirectory, 'certificates'),
    sealer: secretsKey && createTextSealer([secretsKey, ...known(former)], label),
    onUnreadable: (file, why) => log.error('a kept certificate cannot be used', { file, why }),
  })
}

const label = 'certificates'

/** In a database keys are never plain: without a secret of their own they are sealed with another. */
function sealerOfAll({ secretsKey, secretsKeyPrevious, ...config }: World['config']): TextSealer {
  const { keys, previousKeys } = config
  const rest = [secretsKeyPrevious, keys.webhookSecretKey, previousKeys.webhookSecretKey]
  const [first = keys.webhookSecretKey, ...others] = [...known(secretsKey), ...rest.flatMap(known)]
  return createTextSealer([first, ...others], label)
}

const known = (secret: Secret | undefined): readonly Secret[] =>
  secret === undefined ? [] : [secret]

/** What one node had by itself, before the metadata was where all have it. */
async function takeAlong(from: CertificateStore, to: CertificateStore): Promise<void> {
  for (const certificate of await from.list()) await to.put(certificate)
  const accountKey = await from.accountKey()
  if (accountKey !== undefined) await to.keepAccountKey(accountKey)
}
