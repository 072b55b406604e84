import type { BlobBytes } from '../../../ports/content/blob-store.ts'

/** A file that cannot be streamed as it is. The message is one sentence for whoever uploaded it. */
export class UnstreamableMediaError extends Error {
  override readonly name = 'UnstreamableMediaError'
}

export function refuse(reason: string): never {
  throw new UnstreamableMediaError(reason)
}

/** A file that is read here and there. Near reads share one read of the file. */
export interface ByteSource {
  readonly sizeBytes: number
  /** The same as `read` where the bytes are at hand already. */
  held(offset: number, lengthBytes: number): Uint8Array | undefined
  /** Exactly these bytes, valid until the next call; a file that ends before is refused. */
  read(offset: number, lengthBytes: number): Promise<Uint8Array>
}

const windowBytes = 256 * 1024
/** A small read costs as much as one of this size. */
const leastReadBytes = 64 * 1024
/** Beyond the file's own size: in the order of the file, each of its bytes is read about once. */
const spareBytes = 32 * 2 ** 20

/** Gives up with `UnstreamableMediaError` where a file has itself read to and fro without end. */
export function createByteSource(blob: BlobBytes): ByteSource {
  let window: Uint8Array = new Uint8Array()
  let windowStart = 0
  let budgetBytes = blob.size + spareBytes

  function held(offset: number, lengthBytes: number): Uint8Array | undefined {
    const start = offset - windowStart
    if (start < 0 || start + lengthBytes > window.length) return undefined
    return window.subarray(start, start + lengthBytes)
  }

  return {
    sizeBytes: blob.size,
    held,
    async read(offset, lengthBytes) {
      const known = held(offset, lengthBytes)
      if (known !== undefined) return known
      if (offset + lengthBytes > blob.size)
        refuse(`The file ends within the part that starts at ${offset}`)
      const end = Math.min(blob.size, offset + Math.max(lengthBytes, windowBytes))
      budgetBytes -= Math.max(leastReadBytes, end - offset)
      if (budgetBytes < 0) refuse('The file is too scattered to be read')
      window = await blob.slice(offset, end).bytes()
      windowStart = offset
      if (window.length < lengthBytes)
        refuse(`The file ends within the part that starts at ${offset}`)
      return window.subarray(0, lengthBytes)
    },
  }
}
