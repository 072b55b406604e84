import { createMinHeap } from '../../../lib/collections/min-heap.ts'
import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'

/** Calls once and later; answers how to have it not called. */
export type Later = (ms: number, task: () => void) => () => void

interface Dependencies {
  readonly feed: Pick<Feed, 'subscribe'>
  readonly published: Pick<Manifest, 'asset'>
  /** Everything that is published now. */
  readonly all: () => Iterable<AssetRecord>
  readonly now: () => Date
  /** Of an asset's expiry the moments to be told of, in milliseconds since 1970. */
  readonly momentsOf: (expiresAtMs: number) => readonly number[]
  /** Told of the assets of which a moment has come, each once a moment. */
  readonly onMoment: (paths: readonly string[]) => void
  readonly later?: Later
}

/** A clock that is set, or a machine that slept, makes a moment late by no more than this. */
const longestWaitMs = 1_000

/** By the clock of the process; keeps it from ending no longer. */
export const onTimer: Later = (ms, task) => {
  const timer = setTimeout(task, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Follows when assets expire. While no moment is to come nothing runs, and no request is asked. */
export function followExpiries(dependencies: Dependencies): Disposable {
  const { feed, published, all, now, momentsOf, onMoment, later = onTimer } = dependencies
  const moments = createMinHeap<{ readonly path: string; readonly expiresAtMs: number }>()
  const expiresAtMsByPath = new Map<string, number>()
  let cancel: (() => void) | undefined

  function note(path: string): void {
    const expiresAtMs = published.asset(path)?.metadata?.expiresAt?.getTime()
    if (expiresAtMs === expiresAtMsByPath.get(path)) return
    if (expiresAtMs === undefined) expiresAtMsByPath.delete(path)
    else {
      expiresAtMsByPath.set(path, expiresAtMs)
      for (const atMs of momentsOf(expiresAtMs)) moments.add(atMs, { path, expiresAtMs })
    }
  }

  function noteAll(isMeant: (asset: AssetRecord) => boolean): void {
    for (const asset of all())
      if (asset.metadata?.expiresAt !== undefined && isMeant(asset)) note(asset.path)
  }

  function takeDue(): readonly string[] {
    const nowMs = now().getTime()
    const due = new Set<string>()
    while (moments.least !== undefined && moments.least <= nowMs) {
      const moment = moments.take()
      // What was moved since has moments of its own.
      if (moment && expiresAtMsByPath.get(moment.path) === moment.expiresAtMs) due.add(moment.path)
    }
    return [...due]
  }

  function run(): void {
    cancel?.()
    const due = takeDue()
    if (due.length > 0) onMoment(due)
    const waitMs = (moments.least ?? Infinity) - now().getTime()
    cancel = waitMs === Infinity ? undefined : later(Math.min(waitMs, longestWaitMs), run)
  }

  function apply(entries: readonly FeedEntry[]): void {
    const zones = new Set<string>()
    for (const { event, path, zone } of entries)
      if (path !== undefined && event.startsWith('asset.')) note(path)
      // An edge that was away is told of zones, not of each asset in them.
      else if (event === 'zone.updated' && zone !== undefined) zones.add(zone)
    if (zones.size > 0) noteAll(({ zone }) => zones.has(zone))
    run()
  }

  noteAll(() => true)
  run()
  const subscription = feed.subscribe(apply)
  return {
    [Symbol.dispose]() {
      subscription[Symbol.dispose]()
      cancel?.()
    },
  }
}
