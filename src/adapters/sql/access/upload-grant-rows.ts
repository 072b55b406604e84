import type { UploadGrantRecord, UploadGrantUse } from '../../../ports/access/upload-grant-store.ts'
import type { UploadGrantTable, UploadGrantUseTable } from './upload-grant-schema.ts'

export const rowOf = (grant: UploadGrantRecord): UploadGrantTable => ({
  id: grant.id,
  zone: grant.zone,
  path: grant.path,
  max_bytes: grant.maxBytes ?? null,
  types: jsonOf(grant.types),
  origins: jsonOf(grant.origins),
  metadata: jsonOf(grant.metadata),
  times: grant.times,
  overwrites: grant.overwrites ? 1 : 0,
  created_by: grant.createdBy,
  grantor_mark: grant.grantorMark ?? null,
  created_at: grant.createdAt.getTime(),
  expires_at: grant.expiresAt.getTime(),
})

export const recordOf = (row: UploadGrantTable): UploadGrantRecord => ({
  id: row.id,
  zone: row.zone,
  path: row.path,
  maxBytes: row.max_bytes ?? undefined,
  types: valueOf(row.types) as readonly string[] | undefined,
  origins: valueOf(row.origins) as readonly string[] | undefined,
  metadata: valueOf(row.metadata) as UploadGrantRecord['metadata'],
  times: row.times,
  overwrites: row.overwrites === 1,
  createdBy: row.created_by,
  grantorMark: row.grantor_mark ?? undefined,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
})

export const useOf = (row: UploadGrantUseTable): UploadGrantUse => ({
  uploadId: row.upload_id,
  grantId: row.grant_id,
  isStored: row.stored === 1,
})

const jsonOf = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)

const valueOf = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json))
