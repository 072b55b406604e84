import { setImmediate } from 'node:timers/promises'

import type { Calm } from '../../../lib/async/calm.ts'
import { RotatingQueue } from '../../../lib/collections/rotating-queue.ts'
import type { Log } from '../../../lib/log.ts'
import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { ServiceError } from '../../errors.ts'

/** What there is to be found out about files. */
export interface Looking {
  /** Looks at a file, unless that has been done. What it throws is said, and nothing else comes of it. */
  readonly look: (asset: AssetRecord, signal: AbortSignal) => Promise<void>
  /** Told which files are asked for next, many at once; nobody is where it is left out. */
  readonly recall?: (assets: readonly AssetRecord[]) => Promise<void>
  /** Whether a file should have been looked at and was not. Opens no file. */
  readonly isOverlooked: (asset: AssetRecord) => Promise<boolean>
}

/** Which files there are to look at. */
export interface FilesToFollow {
  readonly feed: Feed
  readonly published: Pick<Manifest, 'asset'>
  /** Everything that is published now. */
  readonly all: () => Iterable<AssetRecord>
  /** How many files are looked at at a time; one where left out. */
  readonly atOnce?: number
  /** Waited for before each look; where left out, nothing is. */
  readonly calm?: Pick<Calm, 'reached'> | undefined
  /** Awaited after each look, with how long that took. */
  readonly rest?: Calm['rest'] | undefined
  readonly log: Pick<Log, 'debug' | 'warn'>
  readonly maxWaiting?: number
  /** Calls `act` after so many milliseconds, unless it is disposed of before. */
  readonly later?: (afterMs: number, act: () => void) => Disposable
}

interface Dependencies extends Looking, FilesToFollow {}

/** Where more wait, what was left out is found among everything that is published. */
const usualWaiting = 10_000

/** Most files are known, and whoever waits for a response does not wait for a thousand look-ups. */
const looksPerTurn = 10

/** What is known of so many is read by one query. */
const recalledAtOnce = 200

/** A file that could not be looked at for a reason that passes has so many further looks, each later. */
const furtherLooks = 6
const firstFurtherLookMs = 2000

export interface Following extends AsyncDisposable {
  /**
   * Looks at what was published while nobody followed, and at everything where what was known is lost.
   * Once is enough.
   */
  catchUp(): Promise<void>
  /**
   * Resolves once no published file waits to be looked at, or the signal has come. One that is to be looked at
   * once more, later, is not waited for.
   */
  settled(signal: AbortSignal): Promise<void>
}

/** Looks at files once, when they are published: of each zone in their order, at a file of each zone in turn. */
export function followFiles(dependencies: Dependencies): Following {
  const { feed, log, rest } = dependencies
  const stopping = new AbortController()
  const calmLook = createCalmLook(dependencies, stopping.signal)
  const waiting = createWaiting(dependencies)
  const again = createFurtherLooks(dependencies, (asset) => {
    waiting.put(asset)
    begin()
  })
  let working: Promise<void> | undefined
  let catchingUp: Promise<void> | undefined

  async function look(asset: AssetRecord): Promise<void> {
    const startedMs = performance.now()
    if (await calmLook(asset)) again.forget(asset)
    else again.plan(asset)
    await rest?.(performance.now() - startedMs, stopping.signal)
  }

  const { work, lookAtOverlooked } = createRounds(dependencies, {
    waiting,
    look,
    signal: stopping.signal,
  })

  const calmly = (looking: Promise<void>): Promise<void> =>
    looking.catch((error: unknown) =>
      log.warn('files that nobody has looked at could not be found', { error }),
    )

  function begin(): void {
    working ??= calmly(work()).finally(() => {
      working = undefined
    })
  }

  async function nothingLeft(): Promise<void> {
    await working
    if (working !== undefined) await nothingLeft()
  }

  const subscription = feed.subscribe((entries) => {
    if (waiting.add(entries)) begin()
  })
  return {
    catchUp: () => (catchingUp ??= calmly(lookAtOverlooked())),
    async settled(signal) {
      if (working === undefined || signal.aborted) return
      using leaving = whenAborted(signal)
      await Promise.race([nothingLeft(), leaving.promise])
    },
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      again[Symbol.dispose]()
      await working
      await catchingUp
    },
  }
}

interface Rounds {
  readonly waiting: ReturnType<typeof createWaiting>
  readonly look: (asset: AssetRecord) => Promise<void>
  readonly signal: AbortSignal
}

/** Goes through what waits, and through everything, at as many places as there are to be. */
function createRounds(
  { all, isOverlooked, atOnce = 1, calm, recall }: Dependencies,
  { waiting, look, signal }: Rounds,
) {
  /** Takes from one list at as many places as there are to be files looked at at a time. */
  const together = async (worker: () => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  async function lookAtWaiting(): Promise<void> {
    let looked = 0
    for (;;) {
      await calm?.reached(signal)
      const asset = waiting.take()
      if (asset === undefined || signal.aborted) return
      await look(asset)
      looked += 1
      if (looked % looksPerTurn === 0) await setImmediate()
    }
  }

  /** All of them may be many: what comes meanwhile goes before them. */
  async function lookAtOverlooked(beforeEachSlice?: () => Promise<void>): Promise<void> {
    for (const slice of slicesOf(all(), recalledAtOnce)) {
      await beforeEachSlice?.()
      if (signal.aborted) return
      await recall?.(slice)
      const assets = slice.values()
      await together(async () => {
        for (const asset of assets) {
          await calm?.reached(signal)
          if (signal.aborted) return
          if (await isOverlooked(asset)) await look(asset)
        }
      })
    }
  }

  async function work(): Promise<void> {
    await together(lookAtWaiting)
    while (waiting.hasLeftOut() && !signal.aborted) {
      await lookAtOverlooked(() => together(lookAtWaiting))
      await together(lookAtWaiting)
    }
  }

  return { work, lookAtOverlooked }
}

function* slicesOf<T>(items: Iterable<T>, length: number): Generator<readonly T[]> {
  let slice: T[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < length) continue
    yield slice
    slice = []
  }
  yield slice
}

/** The files that were published and not looked at yet, each once; zones have their turn one after another. */
function createWaiting({ published, maxWaiting = usualWaiting }: FilesToFollow) {
  const queue = new RotatingQueue<AssetRecord>()
  let isAnyLeftOut = false
  function put(asset: AssetRecord): void {
    const { zone, path } = asset
    const isFull = queue.size >= maxWaiting
    if (isFull) {
      isAnyLeftOut = true
      // A zone that has its share waiting leaves its own out, else that of who has most.
      if (queue.sizeOf(zone) >= Math.floor(maxWaiting / Math.max(1, queue.groupCount))) return
      queue.takeFromLargest()
    }
    queue.put(zone, path, asset)
  }
  return {
    put,
    /** Answers whether there is something to look at. */
    add(entries: readonly FeedEntry[]): boolean {
      for (const { event, path } of entries) {
        if (path === undefined || (event !== 'asset.created' && event !== 'asset.updated')) continue
        const asset = published.asset(path)
        if (asset !== undefined) put(asset)
      }
      return queue.size > 0
    },
    take: () => queue.take(),
    /** Whether more came than were kept since this was last asked. */
    hasLeftOut(): boolean {
      const was = isAnyLeftOut
      isAnyLeftOut = false
      return was
    },
  }
}

/** Who is to be looked at once more, and when: each time twice as late as the time before. */
function createFurtherLooks(
  { published, maxWaiting = usualWaiting, later = laterByClock }: FilesToFollow,
  put: (asset: AssetRecord) => void,
) {
  const plannedByPath = new Map<string, { readonly looks: number; readonly timer: Disposable }>()
  function forget({ path }: AssetRecord): void {
    plannedByPath.get(path)?.timer[Symbol.dispose]()
    plannedByPath.delete(path)
  }
  return {
    forget,
    plan(asset: AssetRecord): void {
      const { path, sha256 } = asset
      const looks = plannedByPath.get(path)?.looks ?? 0
      if (looks === furtherLooks || plannedByPath.size >= maxWaiting) return forget(asset)
      const timer = later(firstFurtherLookMs * 2 ** looks, () => {
        const now = published.asset(path)
        if (now?.sha256 === sha256) put(now)
        else plannedByPath.delete(path)
      })
      plannedByPath.set(path, { looks: looks + 1, timer })
    },
    [Symbol.dispose](): void {
      for (const { timer } of plannedByPath.values()) timer[Symbol.dispose]()
      plannedByPath.clear()
    },
  }
}

function laterByClock(afterMs: number, act: () => void): Disposable {
  const timer = setTimeout(act, afterMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

function whenAborted(signal: AbortSignal): Disposable & { readonly promise: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = (): void => resolve()
  signal.addEventListener('abort', leave, { once: true })
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', leave) }
}

/** Looks at one file; never fails. Answers whether that was all that can come of it. */
const createCalmLook =
  ({ look, log }: Dependencies, signal: AbortSignal) =>
  async (asset: AssetRecord): Promise<boolean> => {
    try {
      await look(asset, signal)
      return true
    } catch (error) {
      const isExpected = error instanceof ServiceError || signal.aborted
      const { path } = asset
      log[isExpected ? 'debug' : 'warn']('a file could not be looked at', { path, error })
      return signal.aborted || !mayPass(error)
    }
  }

/** What a file is does not change; that all are busy, or that something of ours broke, does. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.code === 'Unavailable'
