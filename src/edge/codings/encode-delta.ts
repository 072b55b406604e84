import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'

const compressZstd = promisify(zstdCompress)

/** The best level takes seconds a megabyte. */
const bestLevelBytes = 1024 * 1024
const minWindowLog = 10
/** 8 MiB: what every client that takes the coding takes (RFC 9842 §5). */
const maxWindowLog = 23
/** A frame of zstd that is skipped, with the SHA-256 of the dictionary in it (RFC 9842 §5). */
const magic = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00])

/** Encodes `bytes` as what there is in them beyond the dictionary, on the thread pool. */
export async function encodeDelta(
  bytes: Uint8Array,
  dictionary: { readonly bytes: Uint8Array; readonly sha256: string },
): Promise<Uint8Array> {
  const reach = Math.ceil(Math.log2(bytes.length + dictionary.bytes.length + 1))
  const frame = await compressZstd(bytes, {
    dictionary: dictionary.bytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: bytes.length <= bestLevelBytes ? 19 : 9,
      [constants.ZSTD_c_windowLog]: Math.min(Math.max(reach, minWindowLog), maxWindowLog),
    },
  })
  return Buffer.concat([magic, Buffer.from(dictionary.sha256, 'hex'), frame])
}
