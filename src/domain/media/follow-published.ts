import type { Log } from '../../lib/log.ts'
import type { Feed, Manifest } from '../../ports/manifest.ts'
import type { AssetRecord } from '../../ports/publication-store.ts'
import type { FeedEntry } from '../../ports/publication-store.ts'
import { ServiceError } from '../errors.ts'
import type { Streams } from '../streaming/streams.ts'
import type { KnownMedia } from './known-media.ts'

interface Dependencies {
  readonly feed: Feed
  readonly published: Pick<Manifest, 'asset'>
  readonly media: Pick<KnownMedia, 'analysed'>
  readonly streams: Pick<Streams, 'prepare'>
  readonly log: Pick<Log, 'debug' | 'warn'>
}

const pictureFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg'.split(' '))
/** Beyond this the oldest are left to be looked at when somebody asks. */
const maxWaiting = 10_000

/** Looks at pictures and films once, when they are published, so that requests find it done. */
export function followPublished({
  feed,
  published,
  media,
  streams,
  log,
}: Dependencies): AsyncDisposable {
  const stopping = new AbortController()
  const waiting = new Map<string, AssetRecord>()
  let working: Promise<void> | undefined

  async function look(asset: AssetRecord): Promise<void> {
    if (pictureFormats.has(asset.format))
      await media.analysed(asset, { priority: 'background', signal: stopping.signal })
    else await streams.prepare(asset)
  }

  async function work(): Promise<void> {
    for (const [path, asset] of waiting) {
      waiting.delete(path)
      if (stopping.signal.aborted) return
      await look(asset).catch((error: unknown) => {
        const isExpected = error instanceof ServiceError || stopping.signal.aborted
        log[isExpected ? 'debug' : 'warn']('a file could not be looked at', { path, error })
      })
    }
  }

  function take(entries: readonly FeedEntry[]): void {
    for (const { event, path } of entries) {
      if (path === undefined || (event !== 'asset.created' && event !== 'asset.updated')) continue
      const asset = published.asset(path)
      if (asset && waiting.size < maxWaiting) waiting.set(path, asset)
    }
    if (waiting.size > 0)
      working ??= work().finally(() => {
        working = undefined
      })
  }

  const subscription = feed.subscribe(take)
  return {
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      await working
    },
  }
}
