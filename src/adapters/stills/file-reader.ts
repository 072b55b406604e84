import { closeSync, openSync, readSync } from 'node:fs'

/** Reads parts of a file, so many bytes and so often that no file can keep it busy. */
export interface FileReader extends Disposable {
  readonly sizeBytes: number
  /** Fewer bytes at the end of the file. Throws where more was read than any sound file needs. */
  read(start: number, length: number): Buffer
}

const maxReads = 20_000
const maxReadBytes = 96 * 2 ** 20

export function openFileReader({
  path,
  sizeBytes,
}: {
  readonly path: string
  readonly sizeBytes: number
}): FileReader {
  const file = openSync(path, 'r')
  let reads = 0
  let readBytes = 0
  return {
    sizeBytes,
    read(start, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - start))
      reads += 1
      readBytes += wanted
      if (reads > maxReads || readBytes > maxReadBytes) throw new Error('too much to read')
      const bytes = Buffer.alloc(wanted)
      return bytes.subarray(0, wanted === 0 ? 0 : readSync(file, bytes, 0, wanted, start))
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}
