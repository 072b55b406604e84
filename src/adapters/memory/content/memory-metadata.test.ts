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
import { MemoryAuditLog } from './memory-audit-log.ts'
import { MemoryDatabase } from './memory-database.ts'
import { MemoryDomainStore } from '../domains/memory-domain-store.ts'
import { MemoryObjectVersions } from './memory-object-versions.ts'
import { MemoryPreviewStore } from './memory-preview-store.ts'
import { MemoryPasskeyStore } from '../access/memory-passkey-store.ts'
import { MemoryPeopleStore } from '../access/memory-people-store.ts'
import { MemoryPastAssets } from './memory-past-assets.ts'
import { MemoryPublicationStore } from './memory-publication-store.ts'
import { MemoryQuotaStore } from '../access/memory-quota-store.ts'
import { MemorySessionStore } from '../access/memory-session-store.ts'
import { MemoryTokenStore } from '../access/memory-token-store.ts'
import { MemoryUploadGrantStore } from '../access/memory-upload-grant-store.ts'

async function open(): Promise<
  PreviewStores & TokenStores & PeopleStores & UploadGrantStores & VersionStores
> {
  const database = new MemoryDatabase()
  return {
    publications: new MemoryPublicationStore(database),
    domains: new MemoryDomainStore(database),
    previews: new MemoryPreviewStore(database),
    audit: new MemoryAuditLog(database),
    past: new MemoryPastAssets(database),
    versions: new MemoryObjectVersions(database),
    quotas: new MemoryQuotaStore(database),
    tokens: new MemoryTokenStore(database),
    uploadGrants: new MemoryUploadGrantStore(database),
    sessions: new MemorySessionStore(database),
    passkeys: new MemoryPasskeyStore(database),
    people: new MemoryPeopleStore(database),
    async [Symbol.asyncDispose]() {},
  }
}

publicationStoreContract('memory', open)
domainStoreContract('memory', open)
previewStoreContract('memory', open)
auditLogContract('memory', open)
pastAssetsContract('memory', open)
objectVersionsContract('memory', open)
quotaStoreContract('memory', open)
tokenStoreContract('memory', open)
uploadGrantStoreContract('memory', open)
sessionStoreContract('memory', open)
passkeyStoreContract('memory', open)
peopleStoreContract('memory', open)
