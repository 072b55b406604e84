import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { preferredEncoding } from '../request/accept.ts'

/** Below this the saving is not worth the work. */
export const minCompressedBytes = 1024

type Coding = 'zstd' | 'br' | 'gzip'
const codings: readonly Coding[] = ['zstd', 'br', 'gzip']

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

/** Fast levels: these bodies are made for one caller and thrown away. */
const compressors: Readonly<
  Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>
> = {
  zstd: (bytes) => compressZstd(bytes),
  br: (bytes) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => compressGzip(bytes, { level: 5 }),
}

/** `bytes` in the content coding the client likes best, or `undefined` to send them as they are. */
export async function compress(
  bytes: Uint8Array,
  acceptEncoding: string | null,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly coding: Coding } | undefined> {
  if (bytes.byteLength < minCompressedBytes) return undefined
  const coding = preferredEncoding(acceptEncoding, codings)
  if (coding === undefined || coding === 'identity') return undefined
  return { bytes: await compressors[coding](bytes), coding }
}

/** Another coding is another representation, so a strong entity-tag would claim too much. */
export const weakened = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)
