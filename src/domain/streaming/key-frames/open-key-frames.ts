import type { BlobBytes } from '../../../ports/content/blob-store.ts'
import { looksLikeMatroska } from '../matroska/matroska.ts'
import { createByteSource, refuse } from '../mp4/byte-source.ts'
import { type KeyFrames, maxFrameBytes, maxFrameSide } from './frame-format.ts'
import { matroskaKeyFrames } from './matroska-key-frames.ts'
import { mp4KeyFrames } from './mp4-key-frames.ts'

/**
 * Finds the key frames of an MP4, MOV, WebM or Matroska file, by what its bytes say. Throws
 * `UnstreamableMediaError` with the reason where it has none, is broken, hostile or of another kind; answers
 * `undefined` where it has sound alone, or images in a format that nothing here knows.
 */
export async function openKeyFrames(blob: BlobBytes): Promise<KeyFrames | undefined> {
  const source = createByteSource(blob)
  const isMatroska = blob.size >= 4 && looksLikeMatroska(await source.read(0, 4))
  const frames = await (isMatroska ? matroskaKeyFrames(source) : mp4KeyFrames(source))
  if (frames === undefined) return undefined
  const { width, height } = frames.format
  if (Math.max(width, height) > maxFrameSide) refuse(`The pictures have sides over ${maxFrameSide}`)
  return {
    ...frames,
    async read(place) {
      const sizeBytes = await frames.sizeOf(place)
      if (sizeBytes === 0) refuse('The key frame has no bytes')
      if (sizeBytes > maxFrameBytes) refuse('The key frame has over 24 MiB')
      return await frames.read(place)
    },
  }
}
