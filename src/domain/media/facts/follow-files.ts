import { setImmediate } from 'node:timers/promises'

import type { Log } from '../../../lib/log.ts'
import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { ServiceError } from '../../errors.ts'

/** What there is to be found out about files. */
export interface Looking {
  /** Looks at a file, unless that has been done. What it throws is said, and nothing else comes of it. */
  readonly look: (asset: AssetRecord, signal: AbortSignal) => Promise<void>
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
  readonly log: Pick<Log, 'debug' | 'warn'>
  readonly maxWaiting?: number
}

interface Dependencies extends Looking, FilesToFollow {}

/** Where more wait, what was left out is found among everything that is published. */
const usualWaiting = 10_000

/** Most files are known, and whoever waits for a response does not wait for a thousand look-ups. */
const looksPerTurn = 10

export interface Following extends AsyncDisposable {
  /**
   * Looks at what was published while nobody followed, and at everything where what was known is lost.
   * Once is enough.
   */
  catchUp(): Promise<void>
}

/** Looks at files once, in their order, when they are published. */
export function followFiles(dependencies: Dependencies): Following {
  const { feed, all, log, atOnce = 1 } = dependencies
  const stopping = new AbortController()
  const look = createCalmLook(dependencies, stopping.signal)
  const waiting = createWaiting(dependencies)
  let working: Promise<void> | undefined
  let catchingUp: Promise<void> | undefined

  /** Takes from one list at as many places as there are to be files looked at at a time. */
  const together = async (worker: () => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  async function lookAtWaiting(): Promise<void> {
    let looked = 0
    for (let asset = waiting.take(); asset; asset = waiting.take()) {
      if (stopping.signal.aborted) return
      await look(asset)
      looked += 1
      if (looked % looksPerTurn === 0) await setImmediate()
    }
  }

  async function lookAtOverlooked(): Promise<void> {
    const assets = all()[Symbol.iterator]()
    await together(async () => {
      for (let next = assets.next(); next.done !== true; next = assets.next()) {
        if (stopping.signal.aborted) return
        if (await dependencies.isOverlooked(next.value)) await look(next.value)
      }
    })
  }

  async function work(): Promise<void> {
    await together(lookAtWaiting)
    while (waiting.hasLeftOut() && !stopping.signal.aborted) {
      await lookAtOverlooked()
      await together(lookAtWaiting)
    }
  }

  const calmly = (looking: Promise<void>): Promise<void> =>
    looking.catch((error: unknown) =>
      log.warn('files that nobody has looked at could not be found', { error }),
    )

  const subscription = feed.subscribe((entries) => {
    if (!waiting.add(entries)) return
    working ??= calmly(work()).finally(() => {
      working = undefined
    })
  })
  return {
    catchUp: () => (catchingUp ??= calmly(lookAtOverlooked())),
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      stopping.abort()
      await working
      await catchingUp
    },
  }
}

/** The files that were published and not looked at yet, each once. */
function createWaiting({ published, maxWaiting = usualWaiting }: FilesToFollow) {
  const assetByPath = new Map<string, AssetRecord>()
  let isAnyLeftOut = false
  return {
    /** Answers whether there is something to look at. */
    add(entries: readonly FeedEntry[]): boolean {
      for (const { event, path } of entries) {
        if (path === undefined || (event !== 'asset.created' && event !== 'asset.updated')) continue
        const asset = published.asset(path)
        if (asset === undefined) continue
        if (assetByPath.size < maxWaiting) assetByPath.set(path, asset)
        else isAnyLeftOut = true
      }
      return assetByPath.size > 0
    },
    take(): AssetRecord | undefined {
      const [first] = assetByPath
      if (first) assetByPath.delete(first[0])
      return first?.[1]
    },
    /** Whether more came than were kept since this was last asked. */
    hasLeftOut(): boolean {
      const was = isAnyLeftOut
      isAnyLeftOut = false
      return was
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
