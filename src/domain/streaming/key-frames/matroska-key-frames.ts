import { type ByteSource, refuse } from '../mp4/byte-source.ts'
import { type Block, blocksIn } from '../matroska/clusters.ts'
import { keyBlockAt, type MatroskaFile, readMatroska } from '../matroska/matroska.ts'
import type { KeyFrames } from './frame-format.ts'

/** A file without a list of its key frames, as browsers record, is gone through up to here. */
const maxWalkedBytes = 64 * 2 ** 20
const maxKeyFrames = 100_000

/** Throws `UnstreamableMediaError` where the file has no key frame, or is broken. */
export async function matroskaKeyFrames(source: ByteSource): Promise<KeyFrames | undefined> {
  const file = await readMatroska(source)
  if (file === undefined) return undefined
  const listed = file.cues.length > 0 ? listedFrames(source, file) : undefined
  const found = listed ?? (await walkedFrames(source, file))
  const { prefix, format } = file.track
  return {
    format,
    seconds: found.seconds,
    durationSeconds: Math.max(file.durationSeconds, found.lastSeconds),
    sizeOf: async (place) => prefix.length + (await found.blockAt(place)).sizeBytes,
    async read(place) {
      const { offset, sizeBytes } = await found.blockAt(place)
      const frame = new Uint8Array(prefix.length + sizeBytes)
      frame.set(prefix)
      frame.set(await source.read(offset, sizeBytes), prefix.length)
      return frame
    },
  }
}

interface Found {
  readonly seconds: readonly number[]
  readonly lastSeconds: number
  blockAt(place: number): Promise<Block>
}

function listedFrames(source: ByteSource, file: MatroskaFile): Found {
  const seconds = file.cues.map(({ time }) => time * file.unitSeconds)
  return {
    seconds,
    lastSeconds: seconds.at(-1) ?? 0,
    async blockAt(place) {
      const cue = file.cues[place]
      const block = cue && (await keyBlockAt(source, file, cue))
      return block ?? refuse('The list of key frames leads nowhere')
    },
  }
}

async function walkedFrames(
  source: ByteSource,
  { firstCluster, end, track, unitSeconds }: MatroskaFile,
): Promise<Found> {
  const to = Math.min(end, firstCluster + maxWalkedBytes)
  const blocks: Block[] = []
  let lastSeconds = 0
  for await (const block of blocksIn(source, { from: firstCluster, to, track: track.number })) {
    lastSeconds = Math.max(lastSeconds, block.time * unitSeconds)
    if (block.isKey) blocks.push(block)
    if (blocks.length === maxKeyFrames) break
  }
  if (blocks.length === 0) refuse('The pictures have no key frame')
  return {
    seconds: blocks.map(({ time }) => Math.max(0, time * unitSeconds)),
    lastSeconds,
    blockAt: async (place) => blocks[place] ?? refuse('There is no such key frame'),
  }
}
