import type { StagedBytes } from '../../ports/content/staged-bytes.ts'
import type { StagedUploadStore } from '../../ports/content/staged-upload-store.ts'
import { ServiceError } from '../errors.ts'
import { partOfBytes } from './part-bytes-id.ts'
import type { UploadSettings } from './uploads.ts'

/**
 * How many bytes of unfinished uploads lie there for each zone. What lies there counts, not what is
 * declared: a declaration costs its writer nothing, so it must not take the room of others, and a bound on
 * what lies there is exactly a bound on the disk.
 */
export interface StagedRoom {
  /** Has what lay there before the process counted. Cheap from the second time on. */
  prepare(): Promise<void>
  /** How many bytes lie there of a zone. */
  bytesOf(zone: string): number
  /** Refuses bytes for which the zone has no room. */
  require(zone: string, bytes: number): void
  /** Takes room for bytes that arrive, or refuses them. */
  grow(upload: UploadPlace, bytes: number): void
  /** What really lies there. */
  settle(upload: UploadPlace, bytes: number): void
  /** Nothing lies there any more. */
  leave(id: string): void
}

/** An upload, or a part of one. */
interface UploadPlace {
  readonly id: string
  readonly zone: string
}

interface Held {
  readonly zone: string
  readonly bytes: number
}

interface Dependencies {
  readonly staged: Pick<StagedBytes, 'list'>
  readonly store: Pick<StagedUploadStore, 'find'>
  readonly settings: Pick<UploadSettings, 'maxStagedBytes'>
}

export function createStagedRoom({ staged, store, settings }: Dependencies): StagedRoom {
  const { maxStagedBytes } = settings
  const heldById = new Map<string, Held>()
  const bytesByZone = new Map<string, number>()
  let prepared: Promise<void> | undefined

  const inZone = (zone: string): number => bytesByZone.get(zone) ?? 0

  function settle({ id, zone }: UploadPlace, bytes: number): void {
    leave(id)
    if (bytes === 0) return
    heldById.set(id, { zone, bytes })
    bytesByZone.set(zone, inZone(zone) + bytes)
  }

  function leave(id: string): void {
    const held = heldById.get(id)
    if (held === undefined) return
    heldById.delete(id)
    const left = inZone(held.zone) - held.bytes
    if (left > 0) bytesByZone.set(held.zone, left)
    else bytesByZone.delete(held.zone)
  }

  async function countAll(): Promise<void> {
    for await (const { id, sizeBytes } of staged.list()) {
      const record = await store.find(partOfBytes(id)?.uploadId ?? id)
      if (record !== undefined) settle({ id, zone: record.zone }, sizeBytes)
    }
  }

  function require(zone: string, bytes: number): void {
    if (inZone(zone) + bytes <= maxStagedBytes) return
    throw new ServiceError(
      'LimitExceeded',
      `The unfinished uploads of zone "${zone}" may have ${maxStagedBytes} bytes: finish or cancel one first`,
      { target: 'body', context: { Limit: maxStagedBytes } },
    )
  }

  return {
    prepare: () => {
      prepared ??= countAll().catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      return prepared
    },
    bytesOf: inZone,
    require,
    grow(upload, bytes) {
      require(upload.zone, bytes)
      settle(upload, (heldById.get(upload.id)?.bytes ?? 0) + bytes)
    },
    settle,
    leave,
  }
}
