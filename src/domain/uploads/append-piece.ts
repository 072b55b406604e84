import type { StagedUploadRecord } from '../../ports/content/staged-upload-store.ts'
import { ServiceError } from '../errors.ts'
import { arrivingBytes } from './arriving-bytes.ts'
import { requireFittingSize, tooLarge } from './open-upload.ts'
import { writtenOf } from './upload-records.ts'
import type { UploadParts } from './upload-parts.ts'
import type { PieceChecksum, UploadPiece } from './uploads.ts'

/** Adds a piece to an upload, in the turn of whoever sends it. Answers the record as it is then. */
export function createUploadAppender(
  parts: UploadParts,
): (
  record: StagedUploadRecord,
  piece: UploadPiece,
  signal: AbortSignal,
) => Promise<StagedUploadRecord> {
  const { store, room, records } = parts

  return async (record, piece, signal) => {
    await room.prepare()
    const written = writtenOf(record)
    const offset = written?.sizeBytes ?? (await offsetOf(record, parts))
    if (piece.offset !== offset) throw offsetMismatch(offset)
    const sized = withSize(record, piece, parts)
    if (written !== undefined) {
      await refuseMore(piece, signal, parts)
      return record
    }
    const due = { ...sized, awaitsCompletion: piece.isLast === false }
    if (due.sizeBytes !== record.sizeBytes) await store.replace(due)
    const sizeBytes = await appendBytes(due, { piece, offset, signal }, parts)
    const whole = piece.isLast === true ? completed(due, sizeBytes) : due
    const appended = { ...whole, expiresAt: records.expiry() }
    await store.replace(appended)
    return appended
  }
}

/** How many bytes of it are there, wherever they lie. */
export async function offsetOf(
  { id, commit }: StagedUploadRecord,
  { staged, blobs }: Pick<UploadParts, 'staged' | 'blobs'>,
): Promise<number> {
  const sizeBytes = await staged.size(id)
  if (sizeBytes > 0 || commit === undefined) return sizeBytes
  // Those that were about to be committed may have been taken over by the blob store already.
  return (await blobs.stat(commit.sha256)) === undefined ? 0 : commit.sizeBytes
}

/** With the size that the piece says, where it says one. */
function withSize(
  record: StagedUploadRecord,
  { sizeBytes, offset }: UploadPiece,
  { settings }: UploadParts,
): StagedUploadRecord {
  if (sizeBytes === undefined || sizeBytes === record.sizeBytes) return record
  requireFittingSize(sizeBytes, record.grant?.maxBytes ?? settings.maxFileBytes, settings)
  if (record.sizeBytes !== undefined)
    throw lengthMismatch(`it was said to have ${record.sizeBytes} bytes before`)
  if (sizeBytes < offset) throw lengthMismatch(`${offset} bytes are there already`)
  return { ...record, sizeBytes }
}

function completed(record: StagedUploadRecord, sizeBytes: number): StagedUploadRecord {
  if (record.sizeBytes !== undefined && record.sizeBytes !== sizeBytes)
    throw lengthMismatch(`${sizeBytes} of ${record.sizeBytes} bytes are there`)
  return { ...record, sizeBytes }
}

interface Incoming {
  readonly piece: UploadPiece
  readonly offset: number
  readonly signal: AbortSignal
}

async function appendBytes(
  record: StagedUploadRecord,
  { piece, offset, signal }: Incoming,
  { staged, room, settings, after }: UploadParts,
): Promise<number> {
  const { body, checksum } = piece
  const maxBytes = Math.min(record.grant?.maxBytes ?? settings.maxFileBytes, settings.maxFileBytes)
  const digest = checksum && checking(checksum)
  let sizeBytes = offset
  const source = arrivingBytes({
    body,
    missingBytes: record.sizeBytes === undefined ? undefined : record.sizeBytes - offset,
    onChunk: (chunk) => {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      room.grow(record, chunk.length)
      digest?.update(chunk)
    },
    signal,
    after,
  })
  try {
    const kept = await staged.append(record.id, {
      offset,
      source,
      ...(digest === undefined ? {} : { accept: digest.isRight }),
    })
    if (digest?.isRight() === false) throw wrongChecksum()
    return kept
  } finally {
    room.settle(record, await staged.size(record.id))
  }
}

/** A finished upload takes no more; a request that only repeats its end is answered. */
async function refuseMore(
  { body, offset }: UploadPiece,
  signal: AbortSignal,
  { after }: UploadParts,
): Promise<void> {
  const onChunk = () => {
    throw offsetMismatch(offset)
  }
  for await (const _ of arrivingBytes({ body, missingBytes: undefined, onChunk, signal, after }));
}

function checking({ algorithm, digest }: PieceChecksum) {
  const hasher = new Bun.CryptoHasher(algorithm)
  let isRight: boolean | undefined
  return {
    update: (chunk: Uint8Array) => void hasher.update(chunk),
    isRight: () => (isRight ??= Buffer.compare(hasher.digest(), digest) === 0),
  }
}

const wrongChecksum = (): ServiceError =>
  new ServiceError(
    'ChecksumMismatch',
    'The piece does not have the checksum that was sent with it',
    {
      target: 'checksum',
    },
  )

const offsetMismatch = (offset: number): ServiceError =>
  new ServiceError('OffsetMismatch', `The upload goes on at byte ${offset}`, {
    target: 'offset',
    context: { Offset: offset },
  })

const lengthMismatch = (why: string): ServiceError =>
  new ServiceError('UploadLengthMismatch', `The length of the upload does not fit: ${why}`, {
    target: 'length',
  })
