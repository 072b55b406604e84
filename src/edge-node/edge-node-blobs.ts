import { join } from 'node:path'

import { type DiskBlobCache, openDiskBlobCache } from '../adapters/disk/disk-blob-cache.ts'
import { maxWholeBytes } from '../lib/files/fetched-files.ts'
import type { FollowedPast } from '../domain/edges/past/followed-past.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ByteRange } from '../ports/content/blob-store.ts'
import type { EdgeOrigin, OriginSlice } from '../ports/edges/edge-origin.ts'
import type { EdgeNodeMeasuring } from './edge-node-metrics.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'

/** Bytes by their SHA-256, of which some are at hand. */
export type EdgeNodeBlobs = Pick<
  DiskBlobCache,
  'touch' | 'open' | 'read' | 'path' | 'dropDamagedCopy'
> &
  Partial<Pick<DiskBlobCache, 'sizeBytes' | 'kept'>> & {
    remove(sha256: string): Promise<unknown>
  }

type Recall = Pick<FollowedPast, 'recall'>

/** An origin that has just failed to answer is not asked again by everyone who waits. */
const pauseAfterFailureMs = 1_000

/** Bytes by their SHA-256, from the origin. */
export function openEdgeNodeBlobs(
  { settings, monotonicMs }: EdgeNodeWorld,
  { origin, past }: { readonly origin: Pick<EdgeOrigin, 'blob' | 'slice'>; readonly past: Recall },
  measuring: EdgeNodeMeasuring | undefined,
): Promise<DiskBlobCache> {
  /** What nothing has any more but former commits, the origin may have forgotten. */
  async function blob(sha256: string) {
    const found = await origin.blob(sha256, maxWholeBytes)
    if (found !== undefined || !(await past.recall(sha256))) return found
    return await origin.blob(sha256, maxWholeBytes)
  }

  let failedAtMs = Number.NEGATIVE_INFINITY
  async function ask<T>(
    request: () => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (monotonicMs() - failedAtMs < pauseAfterFailureMs)
      throw new Error('The origin has just failed to answer')
    try {
      const found = await request()
      measuring?.onFill(found === undefined ? 'absent' : 'fetched')
      return found
    } catch (error) {
      // Whoever left says nothing of the origin.
      if (signal?.aborted === true) throw error
      measuring?.onFill('failed')
      failedAtMs = monotonicMs()
      throw error
    }
  }
  async function askForSlice(slice: OriginSlice, signal: AbortSignal) {
    const bytes = await ask(() => origin.slice(slice, signal), signal)
    if (bytes === undefined) throw new Error('The origin does not have these bytes')
    return bytes
  }
  return openDiskBlobCache({
    directory: join(settings.directory, 'blobs'),
    maxBytes: Math.floor((settings.diskBytes * 11) / 16),
    now: monotonicMs,
    fetchBlob: (sha256) => ask(() => blob(sha256)),
    fetchSlice: (file, span, signal) => askForSlice({ ...file, ...span }, signal),
  })
}

/** The same, with a refusal that whoever asks may be told of. */
export const refusing = (blobs: EdgeNodeBlobs) => ({
  touch: (sha256: string) => blobs.touch(sha256),
  open: (sha256: string, range?: ByteRange) => blobs.open(sha256, range).catch(unavailable),
  read: (sha256: string) => blobs.read(sha256).catch(unavailable),
  path: (sha256: string) => blobs.path(sha256).catch(unavailable),
  mend: (sha256: string) => blobs.dropDamagedCopy(sha256),
})

/** The same for plain assets: the edge has a refusal of its own, and counts it. */
export const absentWhereRefused = ({ touch, open, read }: RefusingBlobs) => ({
  touch,
  open: (sha256: string, range?: ByteRange) => open(sha256, range).catch(() => undefined),
  read: (sha256: string) => read(sha256).catch(() => undefined),
})

export type RefusingBlobs = ReturnType<typeof refusing>

function unavailable(cause: unknown): never {
  throw new ServiceError('Unavailable', 'The bytes cannot be had from the origin just now', {
    cause,
  })
}
