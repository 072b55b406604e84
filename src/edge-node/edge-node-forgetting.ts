import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { forgetErased, type ForgettingErased } from '../domain/edges/forget-erased.ts'
import { forgetLetGo, type ForgettingLetGo } from '../domain/edges/forget-let-go.ts'
import { writeFileDurably } from '../lib/files/durable-files.ts'
import { ifPresent } from '../lib/files/file-faults.ts'
import type { MediaDelivery } from '../wiring/media.ts'
import type { EdgeNodeBlobs } from './edge-node-blobs.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'

interface Keeping {
  readonly replicated: Replicated
  readonly cache: EdgeNodeBlobs
  readonly media: MediaDelivery
  readonly opening: AsyncDisposableStack
}

/** Has what is erased leave every file of this edge. */
export function forgetErasedAt(
  { log }: EdgeNodeWorld,
  { replicated, cache, media, opening }: Keeping,
): ForgettingErased {
  const { replica, database } = replicated
  return opening.use(
    forgetErased({
      published: replica.published,
      feed: replica.feed,
      async forget(sha256s) {
        for (const sha256 of sha256s) {
          await cache.remove(sha256)
          await media.forgetMade(sha256)
          await media.streams.forget(sha256)
        }
        await database.scrub(async () => {
          for (const sha256 of sha256s) await media.facts.remove(sha256)
        })
      },
      onFault: (error) => log.error('erased bytes are still on this disk', { error }),
      pause: setTimeout,
    }),
  )
}

/** Has what zones have let go leave every file of this edge. */
export function forgetLetGoAt(
  { settings, log }: EdgeNodeWorld,
  { replicated: { catalog, replica }, cache, media }: Keeping,
): ForgettingLetGo {
  const markPath = join(settings.directory, 'let-go')
  return forgetLetGo({
    published: catalog,
    feed: replica.feed,
    kept: () => [...(cache.kept?.() ?? []), ...media.madeOf()],
    async forget(sha256) {
      await cache.remove(sha256)
      await media.forgetMade(sha256)
      await media.indexes.remove(sha256)
    },
    mark: {
      read: () => ifPresent(readFile(markPath, 'latin1')),
      write: (text) => writeFileDurably(markPath, text),
    },
    onFault: (error) => log.error('bytes that zones have let go are still on this disk', { error }),
  })
}
