import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { auditLogContract } from '../../../ports/content/audit-log.contract.ts'
import {
  objectVersionsContract,
  type VersionStores,
} from '../../../ports/content/object-versions.contract.ts'
import { domainStoreContract } from '../../../ports/domains/domain-store.contract.ts'
import { passkeyStoreContract } from '../../../ports/access/passkey-store.contract.ts'
import {
  type PeopleStores,
  peopleStoreContract,
} from '../../../ports/access/people-store.contract.ts'
import { pastAssetsContract } from '../../../ports/content/past-assets.contract.ts'
import {
  type PreviewStores,
  previewStoreContract,
} from '../../../ports/previews/preview-store.contract.ts'
import { publicationStoreContract } from '../../../ports/content/publication-store.contract.ts'
import { quotaStoreContract } from '../../../ports/access/quota-store.contract.ts'
import { sessionStoreContract } from '../../../ports/access/session-store.contract.ts'
import { type TokenStores, tokenStoreContract } from '../../../ports/access/token-store.contract.ts'
import {
  type UploadGrantStores,
  uploadGrantStoreContract,
} from '../../../ports/access/upload-grant-store.contract.ts'
import { SqlAuditLog } from '../content/sql-audit-log.ts'
import { SqlDomainStore } from '../domains/sql-domain-store.ts'
import { SqlObjectVersions } from '../versions/sql-object-versions.ts'
import { SqlPreviewStore } from '../previews/sql-preview-store.ts'
import { SqlPasskeyStore } from '../access/sql-passkey-store.ts'
import { SqlPeopleStore } from '../access/sql-people-store.ts'
import { SqlPastAssets } from '../past/sql-past-assets.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'
import { SqlSessionStore } from '../access/sql-session-store.ts'
import { SqlTokenStore } from '../access/sql-token-store.ts'
import { SqlUploadGrantStore } from '../access/sql-upload-grant-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

async function open(): Promise<
  PreviewStores & TokenStores & PeopleStores & UploadGrantStores & VersionStores
> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
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
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

publicationStoreContract('sqlite', open)
domainStoreContract('sqlite', open)
previewStoreContract('sqlite', open)
auditLogContract('sqlite', open)
pastAssetsContract('sqlite', open)
objectVersionsContract('sqlite', open)
quotaStoreContract('sqlite', open)
tokenStoreContract('sqlite', open)
uploadGrantStoreContract('sqlite', open)
sessionStoreContract('sqlite', open)
passkeyStoreContract('sqlite', open)
peopleStoreContract('sqlite', open)
