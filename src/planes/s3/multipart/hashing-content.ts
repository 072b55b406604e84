import { createHash } from 'node:crypto'

import type { ContentChecksum, ContentDigests } from '../s3-request.ts'
import { checksumKinds } from '../content/content-checksums.ts'

/** Bytes on their way, of which digests are made. */
export interface HashedBytes {
  readonly stream: ReadableStream<Uint8Array>
  /** Known once the stream has ended. */
  readonly digests: () => ContentDigests
}

/** Bytes that lie here already: nobody has said what they are to be. */
export function hashed(
  source: ReadableStream<Uint8Array>,
  algorithm: ContentChecksum['algorithm'] | undefined,
): HashedBytes {
  const md5 = createHash('md5')
  const { stream, checksum } = summed(source, algorithm, (chunk) => void md5.update(chunk))
  return { stream, digests: () => ({ md5: md5.digest('hex'), checksum: checksum() }) }
}

/** The checksum alone. */
export function summed(
  source: ReadableStream<Uint8Array>,
  algorithm: ContentChecksum['algorithm'] | undefined,
  onChunk?: (chunk: Uint8Array) => void,
) {
  const hash = algorithm && checksumKinds[algorithm].open()
  if (hash === undefined && onChunk === undefined)
    return { stream: source, checksum: () => undefined }
  const stream = source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onChunk?.(chunk)
        hash?.update(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  return {
    stream,
    checksum: (): ContentChecksum | undefined =>
      algorithm && hash && { algorithm, value: Buffer.from(hash.digest()).toString('base64') },
  }
}
