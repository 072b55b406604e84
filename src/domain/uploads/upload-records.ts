import type { StagedUploadRecord, UploadOutcome } from '../../ports/content/staged-upload-store.ts'
import { type Actor, hasZone, reaches } from '../access/actor.ts'
import type { AssetPath } from '../content/asset-path.ts'
import type { WrittenFile } from '../content/files/put/file-put.ts'
import { type ErrorCode, errorCodes, ServiceError } from '../errors.ts'
import type { Upload, UploadDependencies } from './uploads.ts'

type UploadActor = Pick<Actor, 'zones' | 'previewsOnly'>

/** What is recorded of uploads, for those who may know of it. */
export interface UploadRecords {
  /**
   * One whose bytes follow each other. Throws `UploadNotFound`, `UploadExpired`, or what the upload was
   * refused with.
   */
  require(id: string, actor: UploadActor): Promise<StagedUploadRecord>
  /** One whose bytes arrive in parts, as {@link UploadRecords.require}. */
  requireInParts(id: string, actor: UploadActor): Promise<StagedUploadRecord>
  /** Whether its zone is there, and not another one of its name. */
  isOfZone(record: StagedUploadRecord): boolean
  /** When an upload that something arrives for now expires. */
  expiry(): Date
}

export function createUploadRecords({
  store,
  published,
  settings,
  now,
}: Pick<UploadDependencies, 'store' | 'published' | 'settings' | 'now'>): UploadRecords {
  const isOfZone = ({ zone, zoneCommitId }: StagedUploadRecord): boolean => {
    const found = published.zone(zone)
    return found !== undefined && found.commitId === zoneCommitId
  }
  async function requireKnown(id: string, actor: UploadActor, isInParts: boolean) {
    const record = isUploadId(id) ? await store.find(id) : undefined
    if (record === undefined || !isReached(record, actor) || !isOfZone(record))
      throw uploadNotFound()
    if ((record.inParts !== undefined) !== isInParts) throw uploadNotFound()
    if (record.expiresAt <= now())
      throw new ServiceError('UploadExpired', 'The time of this upload is over: begin a new one')
    if (record.outcome?.kind === 'refused') throw refusalOf(record.outcome)
    return record
  }
  return {
    require: (id, actor) => requireKnown(id, actor, false),
    requireInParts: (id, actor) => requireKnown(id, actor, true),
    isOfZone,
    expiry: () => new Date(now().getTime() + settings.ttlMs),
  }
}

/** Who may change previews alone has nothing to do with what is for live. */
const isReached = ({ zone, preview }: StagedUploadRecord, actor: UploadActor): boolean =>
  reaches(actor, zone) &&
  (preview !== undefined || actor.previewsOnly === undefined || !hasZone(actor.previewsOnly, zone))

export const uploadNotFound = (): ServiceError =>
  new ServiceError('UploadNotFound', 'There is no such upload')

const isUploadId = (text: string): boolean => /^[\w-]{1,64}$/u.test(text)

/** Where an upload stands whose bytes are so many. */
export function uploadOf(record: StagedUploadRecord, offset: number): Upload {
  const written = writtenOf(record)
  return {
    id: record.id,
    path: record.path as AssetPath,
    offset: written?.sizeBytes ?? offset,
    sizeBytes: record.sizeBytes,
    expiresAt: record.expiresAt,
    clientMetadata: record.clientMetadata,
    grantId: record.grant?.id,
    written,
  }
}

export function writtenOf({ path, outcome }: StagedUploadRecord): WrittenFile | undefined {
  if (outcome?.kind !== 'written') return undefined
  const { kind: _, ...written } = outcome
  return { path: path as AssetPath, ...written }
}

type Refused = Extract<UploadOutcome, { readonly kind: 'refused' }>

export const refusedOutcome = ({ code, message, target, context }: ServiceError): Refused => ({
  kind: 'refused',
  code,
  message,
  target,
  context,
})

function refusalOf({ code, message, target, context }: Refused): ServiceError {
  const known: ErrorCode = errorCodes.find((each) => each === code) ?? 'InvalidParameter'
  return new ServiceError(known, message, {
    context,
    ...(target === undefined ? {} : { target }),
  })
}
