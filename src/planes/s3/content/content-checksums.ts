import { Crc32c } from '../../../lib/bytes/crc32c.ts'
import { Crc64Nvme } from '../../../lib/bytes/crc64-nvme.ts'
import type { ContentChecksum } from '../s3-request.ts'

export type ChecksumAlgorithm = ContentChecksum['algorithm']

/** Of bytes that come in parts. */
export interface RunningHash {
  update(bytes: Uint8Array): void
  /** Once, after the last part. */
  digest(): Uint8Array
}

class Crc32 implements RunningHash {
  #sum = 0

  update(bytes: Uint8Array): void {
    this.#sum = Bun.hash.crc32(bytes, this.#sum)
  }

  /** Big-endian. */
  digest(): Uint8Array {
    const view = new DataView(new ArrayBuffer(4))
    view.setUint32(0, this.#sum)
    return new Uint8Array(view.buffer)
  }
}

interface Kind {
  readonly sizeBytes: number
  readonly open: () => RunningHash
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html */
export const checksumKinds: Readonly<Record<ChecksumAlgorithm, Kind>> = {
  CRC32: { sizeBytes: 4, open: () => new Crc32() },
  CRC32C: { sizeBytes: 4, open: () => new Crc32c() },
  CRC64NVME: { sizeBytes: 8, open: () => new Crc64Nvme() },
  SHA1: { sizeBytes: 20, open: () => new Bun.CryptoHasher('sha1') },
  SHA256: { sizeBytes: 32, open: () => new Bun.CryptoHasher('sha256') },
}

export const checksumAlgorithms = Object.keys(checksumKinds) as readonly ChecksumAlgorithm[]

/** The field that has a checksum, in the header or in the trailer. */
export const checksumField = (algorithm: ChecksumAlgorithm): string =>
  `x-amz-checksum-${algorithm.toLowerCase()}`

/** Whether it is the Base64 of as many bytes as the algorithm has. */
export function isChecksum(value: string, algorithm: ChecksumAlgorithm): boolean {
  const bytes = bytesOfBase64(value)
  return bytes?.length === checksumKinds[algorithm].sizeBytes
}

const maxBase64Length = 64

/** `undefined` where it is no Base64 as it is always written, or longer than any digest. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (text.length > maxBase64Length) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
