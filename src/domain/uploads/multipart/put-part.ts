import type { StagedUploadRecord } from '../../../ports/content/staged-upload-store.ts'
import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { Actor } from '../../access/actor.ts'
import { zoneOf } from '../../content/asset-path.ts'
import { requireOpenZone } from '../../content/files/files.ts'
import { invalid } from '../../errors.ts'
import { arrivingBytes } from '../arriving-bytes.ts'
import { requireFittingSize, tooLarge } from '../open-upload.ts'
import { partBytesId } from '../part-bytes-id.ts'
import type { UploadParts } from '../upload-parts.ts'
import { maxPartBytes, maxPartNumber } from './choose-parts.ts'
import type { MultipartTurns } from './multipart-turns.ts'
import type { ArrivingPart, MultipartPlace } from './multipart-uploads.ts'

/** A part counts as many bytes at least: its files take that much of a disk, however small it is. */
const leastBytes = 8192
/** An upload's time is put off by steps of this part of it. */
const steps = 100

/** Takes parts in, many at once: only what is recorded of them waits for its turn. */
export function createPartTaker(parts: UploadParts, turns: MultipartTurns) {
  const { staged, partStore, room, arriving, published, settings, now } = parts

  async function record(place: MultipartPlace, part: UploadPart, actor: Actor): Promise<void> {
    const former = await turns.take(place, actor, async (upload) => {
      const replaced = await partStore.put(upload.id, part)
      await putOff(upload, parts)
      return replaced
    })
    if (former !== undefined) await drop(former.bytesId)
  }

  async function drop(bytesId: string): Promise<void> {
    await staged.drop(bytesId)
    room.leave(bytesId)
  }

  return async (place: MultipartPlace, part: ArrivingPart, actor: Actor): Promise<UploadPart> => {
    const { number } = part
    if (!Number.isInteger(number) || number < 1 || number > maxPartNumber)
      throw invalid('partNumber', `must be a whole number from 1 to ${maxPartNumber}`)
    requireFittingSize(part.sizeBytes, maxPartBytes, settings)
    const { id } = await turns.requireOpen(place, actor)
    requireOpenZone(place.path, actor, published)
    await room.prepare()
    room.require(zoneOf(place.path), part.sizeBytes ?? 0)
    const bytesId = partBytesId(id, number, parts.newId())
    arriving.add(bytesId)
    try {
      const sizeBytes = await takeBytes({ bytesId, place, part }, parts)
      const { md5, checksum } = part.digests()
      const stored = { number, bytesId, sizeBytes, md5, checksum, storedAt: now() }
      await record(place, stored, actor)
      return stored
    } catch (error) {
      await drop(bytesId)
      throw error
    } finally {
      arriving.delete(bytesId)
    }
  }
}

interface Arrival {
  readonly bytesId: string
  readonly place: MultipartPlace
  readonly part: ArrivingPart
}

async function takeBytes(
  { bytesId, place, part }: Arrival,
  { staged, room, settings, after }: UploadParts,
): Promise<number> {
  const held = { id: bytesId, zone: zoneOf(place.path) }
  const maxBytes = Math.min(maxPartBytes, settings.maxFileBytes)
  let sizeBytes = 0
  room.grow(held, leastBytes)
  const source = arrivingBytes({
    body: part.body,
    missingBytes: part.sizeBytes,
    onChunk: (chunk) => {
      const counted = Math.max(sizeBytes, leastBytes)
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      room.grow(held, Math.max(sizeBytes - counted, 0))
    },
    signal: new AbortController().signal,
    after,
  })
  const isLaterPart = part.number > 1
  const keptBytes = await staged.append(bytesId, { offset: 0, source, isLaterPart })
  room.settle(held, Math.max(keptBytes, leastBytes))
  return keptBytes
}

/** What something arrives for lives on. */
async function putOff(
  upload: StagedUploadRecord,
  { store, records, settings }: UploadParts,
): Promise<void> {
  const expiresAt = records.expiry()
  if (expiresAt.getTime() - upload.expiresAt.getTime() < settings.ttlMs / steps) return
  await store.replace({ ...upload, expiresAt })
}
