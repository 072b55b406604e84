import type { FileLock } from '../../../ports/content/file-lock-store.ts'

export interface FileLockTable {
  readonly path: string
  readonly id: string
  readonly zone: string
  readonly zone_commit_id: string | null
  readonly owner: string
  readonly locked_at: number
}

export const fileLockRowOf = (lock: FileLock): FileLockTable => ({
  path: lock.path,
  id: lock.id,
  zone: lock.zone,
  zone_commit_id: lock.zoneCommitId ?? null,
  owner: lock.owner,
  locked_at: lock.lockedAt.getTime(),
})

export const fileLockOf = (row: FileLockTable): FileLock => ({
  id: row.id,
  path: row.path,
  zone: row.zone,
  zoneCommitId: row.zone_commit_id ?? undefined,
  owner: row.owner,
  lockedAt: new Date(row.locked_at),
})
