import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

/** In the order in which they are offered where they weigh the same. */
export const codings = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

const compressBrotli = promisify(brotliCompress)
const compressZstd = promisify(zstdCompress)
const compressGzip = promisify(gzip)

/** The best levels take seconds a megabyte; beyond this size lower ones are nearly as small. */
const bestLevelBytes = 1024 * 1024

/** Encodes on the thread pool, not on the thread that answers. */
export async function encode(bytes: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await encoders[coding](bytes, bytes.length <= bestLevelBytes))
}

type Encoder = (bytes: Uint8Array, isBest: boolean) => Promise<Uint8Array>

const encoders: Readonly<Record<Coding, Encoder>> = {
  br: (bytes, isBest) =>
    compressBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zstd: (bytes, isBest) =>
    compressZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: isBest ? 19 : 9 } }),
  gzip: (bytes, isBest) => compressGzip(bytes, { level: isBest ? 9 : 6 }),
}
