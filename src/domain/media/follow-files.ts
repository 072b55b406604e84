import type { Log } from '../../lib/log.ts'
import type { Feed, Manifest } from '../../ports/manifest.ts'
import type { AssetRecord, FeedEntry } from '../../ports/publication-store.ts'
import { ServiceError } from '../errors.ts'

/** What there is to be found out about files. */
export interface Looking {
  /** Looks at a file, unless that has been done. What it throws is said, and nothing else comes of it. */
  readonly look: (asset: AssetRecord, signal: AbortSignal) => Promise<void>
  /** Whether a file should have been looked at and was not. Opens no file. */
  readonly isOverlooked: (asset: AssetRecord) => Promise<boolean>
}

interface Dependencies extends Looking {
  readonly feed: Feed
  readonly published: Pick<Manifest, 'asset'>
  readonly log: Pick<Log, 'debug' | 'warn'>
}

/** Beyond this the oldest are left to be looked at when somebody asks, or after the next start. */
const maxWaiting = 10_000

export interface Following extends AsyncDisposable {
  /**
   * Looks at what was published while nobody followed, and at everything where what was known is lost.
   * To be called once.
   */
  catchUp(assets: Iterable<AssetRecord>): Promise<void>
}

/** Looks at files once, one after another, when they are published. */
export function followFiles(dependencies: Dependencies): Following {
  const { feed, published, log } = dependencies
  const stopping = new AbortController()
  const look = createCalmLook(dependencies, stopping.signal)
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

  async function lookAtOverlooked(assets: Iterable<AssetRecord>): Promise<void> {
    for (const asset of assets) {
      if (stopping.signal.aborted) return
      if (await dependencies.isOverlooked(asset)) await look(asset)
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
      (catchingUp ??= lookAtOverlooked(assets).catch((error: unknown) =>
        log.warn('files that nobody has looked at could not be found', { error }),
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
const createCalmLook =
  ({ look, log }: Dependencies, signal: AbortSignal) =>
  (asset: AssetRecord): Promise<void> =>
    look(asset, signal).catch((error: unknown) => {
      const isExpected = error instanceof ServiceError || signal.aborted
      const { path } = asset
      log[isExpected ? 'debug' : 'warn']('a file could not be looked at', { path, error })
    })
