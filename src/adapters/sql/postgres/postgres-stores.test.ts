import { afterAll, beforeAll } from 'bun:test'

import { sql } from 'kysely'

import { auditLogContract } from '../../../ports/content/audit-log.contract.ts'
import { certificateStoreContract } from '../../../ports/domains/certificate-store.contract.ts'
import { domainStoreContract } from '../../../ports/domains/domain-store.contract.ts'
import { edgeStoresContract } from '../../../ports/edges/edge-store.contract.ts'
import { logStoreContract } from '../../../ports/traffic/log-store.contract.ts'
import { embeddedMetadataStoreContract } from '../../../ports/media/embedded-metadata.contract.ts'
import { mediaFactsStoreContract } from '../../../ports/media/media-facts-store.contract.ts'
import { packLedgerContract } from '../../../ports/content/pack-ledger.contract.ts'
import { objectVersionsContract } from '../../../ports/content/object-versions.contract.ts'
import { passkeyStoreContract } from '../../../ports/access/passkey-store.contract.ts'
import { pastAssetsContract } from '../../../ports/content/past-assets.contract.ts'
import { previewStoreContract } from '../../../ports/previews/preview-store.contract.ts'
import { publicationStoreContract } from '../../../ports/content/publication-store.contract.ts'
import { quotaStoreContract } from '../../../ports/access/quota-store.contract.ts'
import { sessionStoreContract } from '../../../ports/access/session-store.contract.ts'
import { contentDigestStoreContract } from '../../../ports/objects/content-digest-store.contract.ts'
import { erasureStoreContract } from '../../../ports/erasing/erasure-store.contract.ts'
import { SqlErasureStore } from '../erasures/sql-erasure-store.ts'
import { zoneCommitStoreContract } from '../../../ports/zone-repositories/zone-commit-store.contract.ts'
import { fileLockStoreContract } from '../../../ports/content/file-lock-store.contract.ts'
import { SqlFileLockStore } from '../locks/sql-file-lock-store.ts'
import { stagedUploadStoreContract } from '../../../ports/content/staged-upload-store.contract.ts'
import { uploadPartStoreContract } from '../../../ports/content/upload-part-store.contract.ts'
import { peopleStoreContract } from '../../../ports/access/people-store.contract.ts'
import { tokenStoreContract } from '../../../ports/access/token-store.contract.ts'
import { trafficStoreContract } from '../../../ports/traffic/traffic-store.contract.ts'
import { usageStoreContract } from '../../../ports/traffic/usage-store.contract.ts'
import { uploadGrantStoreContract } from '../../../ports/access/upload-grant-store.contract.ts'
import { vectorStoreContract } from '../../../ports/media/vector-store.contract.ts'
import { notificationStoreContract } from '../../../ports/notifications/notification-store.contract.ts'
import { webhookStoreContract } from '../../../ports/webhooks/webhook-store.contract.ts'
import { zoneQuotaStoreContract } from '../../../ports/access/zone-quota-store.contract.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { createTextSealer } from '../../../lib/secrets/text-sealer.ts'
import { writerLeaseContract } from '../../../ports/edges/writer-lease.contract.ts'
import { have, postgres } from '../../../../test/support/needs.ts'
import type { DatabaseServer } from '../../../../test/support/postgres-server.ts'
import { openDatabaseServer } from '../../../../test/support/shared-servers.ts'
import type { Database } from '../database.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { postgresFlavour } from './postgres-flavour.ts'
import { SqlAuditLog } from '../content/sql-audit-log.ts'
import { SqlCertificateStore } from '../domains/sql-certificate-store.ts'
import { SqlDomainStore } from '../domains/sql-domain-store.ts'
import { SqlEdgeStore } from '../edges/sql-edge-store.ts'
import { SqlLogStore } from '../traffic/sql-log-store.ts'
import { SqlContentDigestStore } from '../objects/sql-content-digest-store.ts'
import { SqlZoneCommitStore } from '../zone-commits/sql-zone-commit-store.ts'
import { SqlEmbeddedMetadataStore } from '../media/sql-embedded-metadata-store.ts'
import { SqlMediaFactsStore } from '../media/sql-media-facts-store.ts'
import { SqlObjectVersions } from '../versions/sql-object-versions.ts'
import { SqlPackLedger } from '../content/sql-pack-ledger.ts'
import { SqlPreviewStore } from '../previews/sql-preview-store.ts'
import { SqlPasskeyStore } from '../access/sql-passkey-store.ts'
import { SqlPeopleStore } from '../access/sql-people-store.ts'
import { SqlPastAssets } from '../past/sql-past-assets.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'
import { SqlPastStore } from '../edges/sql-past-store.ts'
import { SqlReplicaStore } from '../edges/sql-replica-store.ts'
import { SqlSessionStore } from '../access/sql-session-store.ts'
import { SqlStagedUploadStore } from '../uploads/sql-staged-upload-store.ts'
import { SqlUploadPartStore } from '../uploads/sql-upload-part-store.ts'
import { SqlTokenStore } from '../access/sql-token-store.ts'
import { SqlUploadGrantStore } from '../access/sql-upload-grant-store.ts'
import { SqlTrafficSpool } from '../traffic/sql-traffic-spool.ts'
import { SqlTrafficStore } from '../traffic/sql-traffic-store.ts'
import { SqlZoneQuotaStore } from '../zone-quotas/sql-zone-quota-store.ts'
import { SqlUsageStore } from '../usage/sql-usage-store.ts'
import { SqlVectorStore } from '../media/sql-vector-store.ts'
import { SqlWriterLease } from '../edges/sql-writer-lease.ts'
import { SqlNotificationStore } from '../notifications/sql-notification-store.ts'
import { SqlWebhookOutbox } from '../webhooks/sql-webhook-outbox.ts'
import { SqlWebhookStore } from '../webhooks/sql-webhook-store.ts'

let server: DatabaseServer

/** Emptied and used again: making a database takes half a second. */
const unused: Database[] = []

async function takeDatabase() {
  const database =
    unused.pop() ?? (await openPostgresDatabase({ url: await server.createDatabase() }))
  return { database, [Symbol.asyncDispose]: () => giveBack(database) }
}

async function giveBack(database: Database): Promise<void> {
  const tables = await database.queries.introspection.getTables()
  await database.transaction(async (transaction) => {
    for (const { name } of tables)
      if (!keptTables.has(name)) await sql`delete from ${sql.table(name)}`.execute(transaction)
    const numbers = { feed_seq: 0, audit_seq: 0, delivery_number: 0, version_number: 0 }
    await transaction
      .updateTable('position')
      .set({ commit_id: null, ...numbers })
      .execute()
    await transaction.updateTable('token_version').set({ version: 0 }).execute()
    await transaction.updateTable('people_version').set({ version: 0 }).execute()
  })
  unused.push(database)
}

const keptTables = new Set([
  'migrations',
  'migration_lock',
  'position',
  'token_version',
  'people_version',
])

/** Every store there is on one database. */
async function open() {
  const { database, ...disposable } = await takeDatabase()
  return {
    publications: new SqlPublicationStore(database),
    domains: new SqlDomainStore(database),
    previews: new SqlPreviewStore(database),
    audit: new SqlAuditLog(database),
    past: new SqlPastAssets(database),
    versions: new SqlObjectVersions(database),
    quotas: new SqlQuotaStore(database),
    tokens: new SqlTokenStore(database),
    uploadGrants: new SqlUploadGrantStore(database),
    sessions: new SqlSessionStore(database),
    passkeys: new SqlPasskeyStore(database),
    people: new SqlPeopleStore(database),
    webhooks: new SqlWebhookStore(database),
    outbox: new SqlWebhookOutbox(database),
    notifications: new SqlNotificationStore(database),
    logs: new SqlLogStore(database),
    traffic: new SqlTrafficStore(database),
    ...disposable,
  }
}

/** One store that gives its database back when it is disposed. */
async function openAlone<Store extends object>(make: (database: Database) => Store) {
  const { database, ...disposable } = await takeDatabase()
  return Object.assign(make(database), disposable)
}

if (have('stores on PostgreSQL', postgres)) {
  beforeAll(async () => void (server = await openDatabaseServer()), 60_000)
  afterAll(async () => {
    for (const database of unused) await database[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  publicationStoreContract('postgres', open)
  domainStoreContract('postgres', open)
  previewStoreContract('postgres', open)
  auditLogContract('postgres', open)
  pastAssetsContract('postgres', open)
  objectVersionsContract('postgres', open)
  quotaStoreContract('postgres', open)
  tokenStoreContract('postgres', open)
  uploadGrantStoreContract('postgres', open)
  sessionStoreContract('postgres', open)
  passkeyStoreContract('postgres', open)
  peopleStoreContract('postgres', open)
  webhookStoreContract('postgres', open)
  notificationStoreContract('postgres', open)
  logStoreContract('postgres', open)
  trafficStoreContract('postgres', open)
  usageStoreContract('postgres', async (now) => {
    const { database, ...disposable } = await takeDatabase()
    return {
      usage: new SqlUsageStore(database),
      traffic: new SqlTrafficStore(database),
      publications: new SqlPublicationStore(database, now),
      ...disposable,
    }
  })
  zoneQuotaStoreContract('postgres', async () => {
    const { database, ...disposable } = await takeDatabase()
    return {
      quotas: new SqlZoneQuotaStore(database),
      publications: new SqlPublicationStore(database),
      audit: new SqlAuditLog(database),
      ...disposable,
    }
  })
  mediaFactsStoreContract('postgres', () =>
    openAlone((database) => new SqlMediaFactsStore(database)),
  )
  embeddedMetadataStoreContract('postgres', () =>
    openAlone((database) => new SqlEmbeddedMetadataStore(database)),
  )
  contentDigestStoreContract('postgres', () =>
    openAlone((database) => new SqlContentDigestStore(database)),
  )
  fileLockStoreContract('postgres', () => openAlone((database) => new SqlFileLockStore(database)))
  erasureStoreContract('postgres', () => openAlone((database) => new SqlErasureStore(database)))
  zoneCommitStoreContract('postgres', () =>
    openAlone((database) => new SqlZoneCommitStore(database)),
  )
  stagedUploadStoreContract('postgres', () =>
    openAlone((database) => new SqlStagedUploadStore(database)),
  )
  uploadPartStoreContract('postgres', () =>
    openAlone((database) => new SqlUploadPartStore(database)),
  )
  edgeStoresContract('postgres', async () => {
    const { database, ...disposable } = await takeDatabase()
    return {
      edges: new SqlEdgeStore(database),
      replica: new SqlReplicaStore(database),
      spool: new SqlTrafficSpool(database, { maxCharacters: 5_000 }),
      past: new SqlPastStore(database, { maxCharacters: 1_000 }),
      ...disposable,
    }
  })
  certificateStoreContract('postgres', async () => {
    const { database, ...disposable } = await takeDatabase()
    const sealer = createTextSealer([new Secret('secret')], 'certificates')
    const onUnreadable = (place: string) => {
      throw new Error(`${place} cannot be read`)
    }
    const store = await SqlCertificateStore.open({ database, sealer, onUnreadable })
    return { store, ...disposable }
  })
  vectorStoreContract('postgres', () => openAlone((database) => new SqlVectorStore(database)))
  packLedgerContract('postgres', async () => {
    const { database, ...disposable } = await takeDatabase()
    const publications = new SqlPublicationStore(database)
    return { ledger: new SqlPackLedger(database), publications, ...disposable }
  })
  writerLeaseContract('postgres', async () => {
    const { database, ...disposable } = await takeDatabase()
    const openLease = () => new SqlWriterLease({ database, flavour: postgresFlavour, termMs: 300 })
    const lease = openLease()
    return {
      lease,
      other: openLease(),
      async outlastTerm() {
        while ((await lease.holder()) !== undefined) await Bun.sleep(20)
      },
      ...disposable,
    }
  })
}
