import { takeTurns } from '../../../lib/async/turns.ts'
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

/** Thousands of assets let requests be answered meanwhile. */
const assetsPerTurn = 5_000

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
  const moments = createMoments(momentsOf)
  let cancel: (() => void) | undefined
  let isDisposed = false

  const note = (path: string): void =>
    moments.note(path, published.asset(path)?.metadata?.expiresAt?.getTime())

  function noteExpiring({ path, metadata }: AssetRecord): void {
    if (metadata?.expiresAt !== undefined) note(path)
  }

  /** What changes meanwhile is told by itself. */
  async function lookAgain(zones: ReadonlySet<string>): Promise<void> {
    const turns = takeTurns(assetsPerTurn)
    for (const asset of all()) {
      if (zones.has(asset.zone)) noteExpiring(asset)
      await turns.after(1)
      if (isDisposed) return
    }
    run()
  }

  function run(): void {
    cancel?.()
    const due = moments.takeDue(now().getTime())
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
    if (zones.size > 0) void lookAgain(zones)
    run()
  }

  for (const asset of all()) noteExpiring(asset)
  run()
  const subscription = feed.subscribe(apply)
  return {
    [Symbol.dispose]() {
      isDisposed = true
      subscription[Symbol.dispose]()
      cancel?.()
    },
  }
}

/** The moments that are to come, the next one first. */
function createMoments(momentsOf: Dependencies['momentsOf']) {
  const moments = createMinHeap<{ readonly path: string; readonly expiresAtMs: number }>()
  const expiresAtMsByPath = new Map<string, number>()
  return {
    get least() {
      return moments.least
    },
    note(path: string, expiresAtMs: number | undefined): void {
      if (expiresAtMs === expiresAtMsByPath.get(path)) return
      if (expiresAtMs === undefined) expiresAtMsByPath.delete(path)
      else {
        expiresAtMsByPath.set(path, expiresAtMs)
        for (const atMs of momentsOf(expiresAtMs)) moments.add(atMs, { path, expiresAtMs })
      }
    },
    takeDue(nowMs: number): readonly string[] {
      const due = new Set<string>()
      while (moments.least !== undefined && moments.least <= nowMs) {
        const moment = moments.take()
        // What was moved since has moments of its own.
        if (moment && expiresAtMsByPath.get(moment.path) === moment.expiresAtMs)
          due.add(moment.path)
      }
      return [...due]
    },
  }
}
