import type { ErasureRecord } from '../../ports/records/erasure.ts'

/**
 * The text that former commits have in the place of erased bytes. It says nothing of them; that its own SHA-256
 * is erased too makes every way to those versions one that is refused.
 */
export const erasedMarker = ({ id, createdAt }: Pick<ErasureRecord, 'id' | 'createdAt'>): string =>
  `This file was erased for good on ${createdAt.toISOString().slice(0, 10)} (erasure ${id}).\n`

export const markerSha256 = (erasure: Pick<ErasureRecord, 'id' | 'createdAt'>): string =>
  new Bun.CryptoHasher('sha256').update(erasedMarker(erasure)).digest('hex')
