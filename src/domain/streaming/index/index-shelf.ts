import { setImmediate } from 'node:timers/promises'

import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { StreamIndexStore } from '../../../ports/media/stream-index-store.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { Mutex } from '../../../lib/async/mutex.ts'
import { decodeIndex, encodeIndex, type Indexed } from './index-codec.ts'
import { indexMedia } from './index-media.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'

export interface IndexShelf {
  /** The index of a video, or why it has none; `undefined` where there is no such blob. */
  indexOf(sha256: string): Promise<Indexed | undefined>
  forget(sha256: string): Promise<void>
}

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'open'>
  readonly store: StreamIndexStore
  /** How many bytes of indexes are kept ready. */
  readonly memoryBytes: number
}

const bytesPerSample = 28
const bytesPerIndex = 1000

/**
 * Indexes by SHA-256: from memory, from the store, or made from the video, which happens when it is
 * published and, for a video from before, once. One video is read at a time, whoever asks.
 */
export function createIndexShelf({ blobs, store, memoryBytes }: Dependencies): IndexShelf {
  const ready = new LruCache<Indexed>({ maxWeight: memoryBytes, weigh })
  const loads = createSingleFlight<Indexed | undefined>()
  const reading = new Mutex()

  async function load(sha256: string): Promise<Indexed | undefined> {
    const kept = await store.find(sha256)
    const indexed = (kept && decodeIndex(kept)) ?? (await make(sha256))
    if (indexed !== undefined) ready.set(sha256, indexed)
    return indexed
  }

  async function make(sha256: string): Promise<Indexed | undefined> {
    using _turn = await reading.acquire()
    const blob = await blobs.open(sha256)
    if (blob === undefined) return undefined
    const indexed = await indexMedia(blob).catch(reasonOf)
    await setImmediate()
    await store.save(sha256, encodeIndex(indexed))
    return indexed
  }

  return {
    async indexOf(sha256) {
      return ready.get(sha256) ?? (await loads.share(sha256, () => load(sha256)))
    },
    async forget(sha256) {
      ready.delete(sha256)
      await store.remove(sha256)
    },
  }
}

function reasonOf(error: unknown): UnstreamableMediaError {
  if (error instanceof UnstreamableMediaError) return error
  throw error
}

function weigh(indexed: Indexed): number {
  if (indexed instanceof UnstreamableMediaError) return bytesPerIndex
  const tracks = [...(indexed.video ? [indexed.video] : []), ...indexed.audio]
  return tracks.reduce((sum, { samples }) => sum + samples.count * bytesPerSample, bytesPerIndex)
}
