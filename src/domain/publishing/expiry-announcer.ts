import type { Log } from '../../lib/log.ts'
import type { AnnouncedExpiry, PublicationStore } from '../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { NewFeedEntry } from '../../ports/records/feed.ts'
import { hasExpired } from '../content/delivered/expiry.ts'
import { followExpiries, type Later, onTimer } from '../content/delivered/expiry-schedule.ts'
import type { LocalFeed } from '../feed.ts'
import { assetEventData } from './translation/asset-event-data.ts'

interface Dependencies {
  readonly store: Pick<PublicationStore, 'publish' | 'expiries'>
  readonly feed: LocalFeed
  readonly published: {
    asset(path: string): AssetRecord | undefined
    all(): Iterable<AssetRecord>
  }
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  readonly later?: Later
}

const retryMs = 1_000
const announcedAtOnce = 500
/** So long a deleted asset can come back; until then it is known that its expiry was told of. */
const keptMs = 32 * 24 * 3600 * 1000

/**
 * Tells the feed, and so webhooks, of each asset whose time is over: once for each moment that it was
 * given, though the process was away when that came. What was told of is written with the telling.
 */
export async function announceExpiries(dependencies: Dependencies): Promise<AsyncDisposable> {
  const { store, feed, published, now, log, later = onTimer } = dependencies
  const announced = await readAnnounced(store)
  const waiting = new Set<string>()
  const stopping = new AbortController()
  let working: Promise<void> | undefined
  let cancelRetry: (() => void) | undefined

  async function announce(paths: readonly string[]): Promise<void> {
    const assets = paths
      .flatMap((path) => published.asset(path) ?? [])
      .filter((asset) => hasExpired(asset, now()) && !isAnnounced(asset, announced))
    if (assets.length === 0) return
    const expiries = assets.map(({ path, metadata }) => ({ path, expiresAt: metadata?.expiresAt }))
    const at = now()
    const entries = assets.map((asset) => expiredEntry(asset, at))
    const written = await store.publish([{ expiries, feed: entries }])
    for (const { path, expiresAt } of expiries) announced.set(path, expiresAt?.getTime() ?? 0)
    feed.announce(written)
  }

  async function work(): Promise<void> {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const paths = [...waiting.values().take(announcedAtOnce)]
      try {
        await announce(paths)
        for (const path of paths) waiting.delete(path)
      } catch (error) {
        log.warn('assets that expired could not be announced yet', { error })
        cancelRetry = later(retryMs, start)
        return
      }
    }
  }

  function start(): void {
    working ??= work().finally(() => {
      working = undefined
    })
  }

  await forgetOld(announced, dependencies)
  const schedule = followExpiries({
    feed,
    published,
    all: () => published.all(),
    now,
    later,
    momentsOf: (expiresAtMs) => [expiresAtMs],
    onMoment(paths) {
      for (const path of paths) waiting.add(path)
      start()
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      schedule[Symbol.dispose]()
      cancelRetry?.()
      await working
    },
  }
}

async function readAnnounced(
  store: Pick<PublicationStore, 'expiries'>,
): Promise<Map<string, number>> {
  const expiries = await store.expiries()
  return new Map(
    expiries.flatMap(({ path, expiresAt }) => (expiresAt ? [[path, expiresAt.getTime()]] : [])),
  )
}

async function forgetOld(
  announced: Map<string, number>,
  { store, published, now }: Dependencies,
): Promise<void> {
  const before = now().getTime() - keptMs
  const old = [...announced].filter(
    ([path, atMs]) =>
      atMs < before && published.asset(path)?.metadata?.expiresAt?.getTime() !== atMs,
  )
  if (old.length === 0) return
  const expiries = old.map(([path]): AnnouncedExpiry => ({ path, expiresAt: undefined }))
  await store.publish([{ expiries, feed: [] }])
  for (const { path } of expiries) announced.delete(path)
}

const isAnnounced = (
  { path, metadata }: AssetRecord,
  announced: ReadonlyMap<string, number>,
): boolean => announced.get(path) === metadata?.expiresAt?.getTime()

/** No commit did it. */
const expiredEntry = (asset: AssetRecord, at: Date): NewFeedEntry => ({
  at,
  event: 'asset.expired',
  zone: asset.zone,
  path: asset.path,
  commitId: undefined,
  data: assetEventData(asset),
})
