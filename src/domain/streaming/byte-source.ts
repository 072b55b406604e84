import { UnstreamableMediaError } from './unstreamable-media-error.ts'

/** A file that is read here and there. Near reads share one read of the file. */
export interface ByteSource {
  readonly sizeBytes: number
  /** Exactly these bytes, valid until the next call; a file that ends before is refused. */
  read(offset: number, lengthBytes: number): Promise<Uint8Array>
}

const windowBytes = 256 * 1024

export function createByteSource(blob: Blob): ByteSource {
  let window: Uint8Array = new Uint8Array()
  let windowStart = 0

  return {
    sizeBytes: blob.size,
    async read(offset, lengthBytes) {
      if (offset + lengthBytes > blob.size)
        throw new UnstreamableMediaError(`The file ends within the part that starts at ${offset}`)
      if (offset < windowStart || offset + lengthBytes > windowStart + window.length) {
        const end = Math.min(blob.size, offset + Math.max(lengthBytes, windowBytes))
        window = await blob.slice(offset, end).bytes()
        windowStart = offset
      }
      const start = offset - windowStart
      return window.subarray(start, start + lengthBytes)
    },
  }
}
