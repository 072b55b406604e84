import { open, stat } from 'node:fs/promises'

import type { PieceSource } from '../../../ports/backups/backup-target.ts'

const stepBytes = 1024 * 1024

/** A file as a piece, hashed first. Throws with the code `ENOENT` where it is gone, now or when it is read. */
export async function filePiece(path: string): Promise<PieceSource> {
  const { size: sizeBytes } = await stat(path)
  const hasher = new Bun.CryptoHasher('sha256')
  for (let start = 0; start < sizeBytes; start += stepBytes)
    hasher.update(await readSpan(path, start, Math.min(start + stepBytes, sizeBytes)))
  return {
    sizeBytes,
    sha256: hasher.digest('hex'),
    bytes: (start, end) => readSpan(path, start, end),
  }
}

async function readSpan(
  path: string,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await open(path, 'r')
  const bytes = new Uint8Array(end - start)
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`)
    done += bytesRead
  }
  return bytes
}
