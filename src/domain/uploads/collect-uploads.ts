import { partOfBytes } from './part-bytes-id.ts'
import type { UploadParts } from './upload-parts.ts'

/** Records of uploads that are over are removed so many at a time. */
const recordsAtOnce = 500

/**
 * Removes what is of no use any more: the bytes of uploads that are over, were finished or refused, or that
 * nobody knows of since a process was killed; and, as much later again as they lived, their records. Answers
 * of how many it removed the bytes.
 */
export async function collectUploads(parts: UploadParts): Promise<number> {
  const { staged, turns } = parts
  let removed = 0
  for await (const { id } of staged.list()) {
    // Whoever works on it now is not to be broken off, and next time will do.
    if (turns.has(id) || (await isWanted(id, parts))) continue
    removed += await turns.take(id, () => dropUnwanted(id, parts))
  }
  await forgetRecords(parts)
  return removed
}

async function dropUnwanted(id: string, parts: UploadParts): Promise<number> {
  if (await isWanted(id, parts)) return 0
  await parts.staged.drop(id)
  parts.room.leave(id)
  return 1
}

async function isWanted(id: string, parts: UploadParts): Promise<boolean> {
  const part = partOfBytes(id)
  if (part === undefined) return await isOpen(id, parts)
  if (parts.arriving.has(id)) return true
  if (!(await isOpen(part.uploadId, parts))) return false
  return (await parts.partStore.find(part.uploadId, part.number))?.bytesId === id
}

async function isOpen(uploadId: string, { store, records, now }: UploadParts): Promise<boolean> {
  const record = await store.find(uploadId)
  if (record === undefined || record.outcome !== undefined) return false
  return record.expiresAt > now() && records.isOfZone(record)
}

async function forgetRecords({ store, partStore, settings, now }: UploadParts): Promise<void> {
  const time = new Date(now().getTime() - settings.ttlMs)
  for (;;) {
    const expired = await store.expiredBefore(time, recordsAtOnce)
    for (const { id, inParts } of expired) {
      if (inParts !== undefined) await partStore.removeAll(id)
      await store.remove(id)
    }
    if (expired.length < recordsAtOnce) return
  }
}
