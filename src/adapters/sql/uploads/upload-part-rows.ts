import type { UploadPart } from '../../../ports/content/upload-part-store.ts'

export interface UploadPartTable {
  readonly upload_id: string
  readonly number: number
  readonly bytes_id: string
  readonly size_bytes: number
  readonly md5: string
  readonly checksum_algorithm: string | null
  readonly checksum: string | null
  readonly stored_at: number
}

export const uploadPartRowOf = (uploadId: string, part: UploadPart): UploadPartTable => ({
  upload_id: uploadId,
  number: part.number,
  bytes_id: part.bytesId,
  size_bytes: part.sizeBytes,
  md5: part.md5,
  checksum_algorithm: part.checksum?.algorithm ?? null,
  checksum: part.checksum?.value ?? null,
  stored_at: part.storedAt.getTime(),
})

export const uploadPartOf = (row: UploadPartTable): UploadPart => ({
  number: row.number,
  bytesId: row.bytes_id,
  sizeBytes: row.size_bytes,
  md5: row.md5,
  checksum:
    row.checksum_algorithm === null || row.checksum === null
      ? undefined
      : { algorithm: row.checksum_algorithm, value: row.checksum },
  storedAt: new Date(row.stored_at),
})
