import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'

/** `record` is JSON; beside it is what is asked for. */
export interface StagedUploadTable {
  readonly id: string
  readonly zone: string
  readonly network: string
  /** 1 while it has no outcome. */
  readonly open: number
  readonly expires_at: number
  /** Its path, while it is open and arrives in parts. */
  readonly parted_path: string | null
  readonly record: string
}

export const stagedUploadRowOf = (record: StagedUploadRecord): StagedUploadTable => ({
  id: record.id,
  zone: record.zone,
  network: record.network,
  open: record.outcome === undefined ? 1 : 0,
  expires_at: record.expiresAt.getTime(),
  parted_path: record.inParts !== undefined && record.outcome === undefined ? record.path : null,
  record: JSON.stringify(record),
})

/** What JSON leaves out is `undefined`, as it was. */
export function stagedUploadOf({ record }: Pick<StagedUploadTable, 'record'>): StagedUploadRecord {
  const parsed = JSON.parse(record) as Kept
  const { createdAt, expiresAt, ...rest } = parsed
  return { ...absent, ...rest, createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) }
}

type Kept = Omit<StagedUploadRecord, 'createdAt' | 'expiresAt'> & {
  readonly createdAt: string
  readonly expiresAt: string
}

const absent = {
  preview: undefined,
  zoneCommitId: undefined,
  sizeBytes: undefined,
  contentType: undefined,
  expectedSha256: undefined,
  condition: undefined,
  grant: undefined,
  clientMetadata: undefined,
  inParts: undefined,
  commit: undefined,
  outcome: undefined,
}
