import { collectBlobs } from '../../domain/publishing/blob-gc.ts'
import type { Media } from '../media.ts'
import type { OpenedS3 } from '../s3/s3.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'
import type { World } from '../world.ts'

const dayMs = 86_400_000
/** After a start there is more urgent work. */
const firstAfterMs = 600_000
/** So long a blob outlives the last file that had its bytes. */
const graceMs = 7 * dayMs

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly s3: Pick<OpenedS3, 'forget'>
  readonly opening: AsyncDisposableStack
}

/** Forgets, once a day, blobs that nothing refers to, and what was found out about them. */
export function collectBlobsDaily({ log, now }: World, opened: Opened): void {
  const { stores, publishing, media, s3, opening } = opened
  const { catalog } = publishing

  async function sweep(): Promise<void> {
    const inUse = new Set(
      catalog.zones().flatMap(({ name }) => catalog.zoneFiles(name).map(({ sha256 }) => sha256)),
    )
    // What no file has any more is asked for with the commits that had it, and is nowhere else.
    for await (const { sha256 } of stores.content.outsideBlobs()) inUse.add(sha256)
    for await (const sha256 of publishing.previewing.blobs.all()) inUse.add(sha256)
    const isInUse = (sha256: string) => inUse.has(sha256)
    const removed = await collectBlobs({
      blobs: stores.blobs,
      isInUse,
      onRemoved: async (sha256) => {
        await media.forget(sha256)
        await s3.forget(sha256)
      },
      now,
      graceMs,
    })
    if (removed > 0) log.info('forgot blobs that nothing refers to', { removed })
  }

  const run = () =>
    void sweep().catch((error: unknown) => log.warn('the sweep of blobs failed', { error }))
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, dayMs)
  opening.defer(() => {
    clearTimeout(first)
    clearInterval(timer)
  })
}
