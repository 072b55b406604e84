import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const blockBytes = 2 ** 20
/** How large the files are that journeys upload; set for a run with as much as people send. */
const sizeVariable = 'UPLOAD_TEST_MB'
const usualMegabytes = 12

export interface UploadFile {
  readonly path: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** A file of bytes that no two blocks of have in common, so that any that is lost or moved shows. */
export async function makeUploadFile(directory: string): Promise<UploadFile> {
  const megabytes = Number(process.env[sizeVariable] ?? usualMegabytes)
  const path = join(directory, 'film.mp4')
  const hash = createHash('sha256')
  await using file = await open(path, 'w')
  const block = new Uint8Array(blockBytes)
  for (let index = 0; index < blockBytes; index += 1)
    block[index] = (index * 31 + (index >> 8)) & 255
  for (let count = 0; count < megabytes; count += 1) {
    new DataView(block.buffer).setUint32(0, count)
    hash.update(block)
    await file.write(block)
  }
  return { path, sizeBytes: megabytes * blockBytes, sha256: hash.digest('hex') }
}
