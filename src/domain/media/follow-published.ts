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
  readonly media: Pick<KnownMedia, 'analysed' | 'known'>
  readonly streams: Pick<Streams, 'prepare'>
  readonly log: Pick<Log, 'debug' | 'warn'>
}

const pictureFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg'.split(' '))
/** Beyond this the oldest are left to be looked at when somebody asks. */
const maxWaiting = 10_000

export interface FollowingMedia extends AsyncDisposable {
  /**
   * Looks at those pictures of which nothing is known: what was published while nobody followed, and
   * all of them where what was known is lost. To be called once.
   */
  catchUp(assets: Iterable<AssetRecord>): Promise<void>
}

/** Looks at pictures and films once, when they are published, so that requests find it done. */
export function followPublished(dependencies: Dependencies): FollowingMedia {
  const { feed, published, media, log } = dependencies
  const stopping = new AbortController()
  const look = createLook(dependencies, stopping.signal)
  const waiting = new Map<string, AssetRecord>()
  let working: Promise<void> | undefined
  let catchingUp: Promise<void> | undefined

  async function work(): Promise<void> {
    for (const [path, asset] of waiting) {
      waiting.delete(path)
      if (stopping.signal.aborted) return
      await look(asset)
    }
  }

  async function lookAtUnknown(assets: Iterable<AssetRecord>): Promise<void> {
    for (const asset of assets) {
      if (stopping.signal.aborted) return
      if (!pictureFormats.has(asset.format)) continue
      const facts = await media.known(asset.sha256)
      if (facts?.analysis === undefined) await look(asset)
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
    catchUp: (assets) =>
      (catchingUp ??= lookAtUnknown(assets).catch((error: unknown) =>
        log.warn('pictures that nobody has looked at could not be found', { error }),
      )),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      await working
      await catchingUp
    },
  }
}

/** Looks at one file; never fails. */
function createLook({ media, streams, log }: Dependencies, signal: AbortSignal) {
  async function look(asset: AssetRecord): Promise<void> {
    if (pictureFormats.has(asset.format))
      await media.analysed(asset, { priority: 'background', signal })
    else await streams.prepare(asset)
  }
  return (asset: AssetRecord): Promise<void> =>
    look(asset).catch((error: unknown) => {
      const isExpected = error instanceof ServiceError || signal.aborted
      const { path } = asset
      log[isExpected ? 'debug' : 'warn']('a file could not be looked at', { path, error })
    })
}
