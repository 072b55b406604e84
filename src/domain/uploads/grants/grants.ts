import type {
  ListedUploadGrant,
  UploadGrantRecord,
  UploadGrantStore,
} from '../../../ports/access/upload-grant-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, auditRecordOf, reaches, requireZone } from '../../access/actor.ts'
import { orUnavailable } from '../../access/or-unavailable.ts'
import { requireUnsuspended } from '../../access/suspended-zones.ts'
import { ServiceError, tooMany, zoneNotFound } from '../../errors.ts'
import { serviceFor } from './grant-actor.ts'
import { type GrantRequest, grantTerms } from './grant-request.ts'
import type { Grantors } from './grantors.ts'
import { type GrantClaims, openGrant, sealGrant } from './sealed-grant.ts'

export interface CreatedGrant {
  readonly record: UploadGrantRecord
  /** For the URL; not to be had again. */
  readonly grant: string
}

export interface GrantPage {
  readonly zone: string | undefined
  readonly offset: number
  readonly limit: number
}

/** What people without a key may upload. */
export interface UploadGrants {
  create(request: GrantRequest, actor: Actor): Promise<CreatedGrant>
  /** Those that are not over, of zones that the actor reaches; the newest first. */
  list(
    page: GrantPage,
    actor: Pick<Actor, 'zones'>,
  ): Promise<{ readonly grants: readonly ListedUploadGrant[]; readonly count: number }>
  /** From then on nothing is begun, gone on with or finished with it. */
  revoke(id: string, actor: Actor): Promise<UploadGrantRecord>
  /** What a grant from a URL says, where it is one of ours, not over, and `origin` may use it. */
  find(grant: string, origin: string | undefined): Promise<GrantClaims | undefined>
  /** The record of a grant that was not revoked, and whose grantor could still give it. */
  standing(id: string): Promise<UploadGrantRecord | undefined>
}

interface Dependencies {
  readonly store: UploadGrantStore
  readonly grantors: Grantors
  readonly published: Pick<Manifest, 'zone'>
  /** Those that are good, the newest first. */
  readonly keys: readonly Uint8Array[]
  readonly maxFileBytes: number
  readonly maxPerZone: number
  /** Ends an upload that was begun with a grant that is no more. */
  readonly endUpload: (uploadId: string, by: Actor) => Promise<void>
  readonly now: () => Date
  readonly newId: () => string
}

export function createUploadGrants(dependencies: Dependencies): UploadGrants {
  const { store, grantors, published, keys, maxPerZone, endUpload, now, newId } = dependencies
  const [newestKey = new Uint8Array()] = keys

  async function standing(id: string): Promise<UploadGrantRecord | undefined> {
    const record = await store.find(id)
    return record !== undefined && grantors.isStillGood(record) ? record : undefined
  }

  return {
    standing,

    async create(request, actor) {
      const at = now()
      const terms = grantTerms(request, { ...dependencies, at, latest: grantors.expiryOf(actor) })
      const { zone } = terms
      requireZone(actor, zone)
      if (published.zone(zone) === undefined) throw zoneNotFound(zone)
      requireUnsuspended([zone], published)
      const record: UploadGrantRecord = {
        ...terms,
        id: newId(),
        createdBy: actor.credentialId,
        grantorMark: grantors.markOf(actor),
        createdAt: at,
      }
      await orUnavailable(store.forgetExpired(new Date(at.getTime() - rememberedMs)))
      const audit = auditOf('upload.grant.create', record, { actor, at })
      const added = await orUnavailable(store.add(record, maxPerZone, audit))
      if (added === 'no such zone') throw zoneNotFound(zone)
      if (added === 'too many')
        throw tooMany('Path', `Zone "${zone}" has ${maxPerZone} upload grants`, maxPerZone)
      return { record, grant: sealGrant(record, newestKey) }
    },

    async list({ zone, ...page }, actor) {
      const zones = zone === undefined ? actor.zones && [...actor.zones] : [zone]
      if (zone !== undefined) requireZone(actor, zone)
      return await store.list({ ...page, zones, goodAt: now() })
    },

    async revoke(id, actor) {
      const record = await store.find(id)
      if (record === undefined || !reaches(actor, record.zone)) throw grantNotFound()
      const uses = await store.openUses(id)
      const audit = auditOf('upload.grant.revoke', record, { actor, at: now() })
      if (!(await orUnavailable(store.remove(id, audit)))) throw grantNotFound()
      for (const { uploadId } of uses) await endUpload(uploadId, serviceFor(id))
      return record
    },

    async find(grant, origin) {
      const claims = openGrant(grant, keys)
      if (claims === undefined || claims.expiresAt <= now()) return undefined
      if (origin !== undefined && claims.origins?.includes(origin) === false) return undefined
      return (await standing(claims.id)) && claims
    },
  }
}

/** Uploads that were begun in time may still be on their way when their grant is over. */
const rememberedMs = 86_400_000

const grantNotFound = () =>
  new ServiceError('NotFound', 'There is no upload grant with this id', { target: 'id' })

function auditOf(
  action: string,
  { id, path, times, expiresAt }: UploadGrantRecord,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): AuditRecord {
  const meta = { grant: id, times, expiresAt: expiresAt.toISOString() }
  return auditRecordOf({ action, target: path, meta }, actor, at)
}
