import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { EmbeddedFormat } from '../../../ports/media/renderer.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { sniffedBytes, sniffEmbeddedType } from './image-type.ts'

/** By the bytes; `undefined` of what says nothing of itself. */
export async function embeddedFormatOf(
  blobs: Pick<BlobStore, 'open'>,
  { sha256, sizeBytes }: Pick<AssetRecord, 'sha256' | 'sizeBytes'>,
): Promise<EmbeddedFormat | undefined> {
  const blob = await blobs.open(sha256, { start: 0, end: Math.min(sizeBytes, sniffedBytes) })
  const bytes = (await blob?.bytes()) ?? new Uint8Array(0)
  return sniffEmbeddedType(bytes)
}
