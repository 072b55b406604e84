import { Mutex } from '../../lib/async/mutex.ts'
import type { Log } from '../../lib/log.ts'
import type {
  AudienceRow,
  BeaconRow,
  CallRow,
  TrafficFlush,
  TrafficRow,
  TrafficStore,
} from '../../ports/traffic/traffic-store.ts'
import { type BeaconCounter, createBeaconCounter } from './beacon-counter.ts'
import { hourOf, millisecondsToNextMinute, minuteOf } from './period.ts'
import { type LiveTick, liveTick } from './live-tick.ts'

/** What was counted together since it was last asked for. */
export interface CountedHits extends Omit<TrafficRow, 'isHit'> {
  readonly cache: 'HIT' | 'MISS'
}

export type Beacon = Omit<BeaconRow, 'requests'>
export type TrafficListener = (tick: LiveTick) => void

/** Takes what a process counts to the store, every few seconds. */
export interface TrafficCollector extends AsyncDisposable {
  /** What a client says of itself. Counted apart. */
  beacon(beacon: Beacon): void
  /** Takes away and stores what has been counted until now. Never rejects. */
  flush(): Promise<void>
  /** Tells listeners of what was counted, and is stored, elsewhere. */
  show(rows: readonly TrafficRow[]): void
  /** Tells `listener` about every second from now on. */
  watch(listener: TrafficListener): Disposable
}

interface Dependencies {
  readonly store: Pick<TrafficStore, 'record'>
  /** Answers each count once. */
  readonly drain: () => readonly CountedHits[]
  /** Who asked for that; each count once. */
  readonly takeAudience?: () => readonly AudienceRow[]
  /** What was asked of models; each count once. */
  readonly takeCalls?: () => readonly CallRow[]
  /** Names this process for all time. */
  readonly process: string
  readonly now: () => Date
  /** Told of what was counted, each time it is taken away. */
  readonly onTick?: TrafficListener
  readonly log: Pick<Log, 'warn'>
}

/** With the time to write it, and a machine that is busy, a crash loses less than five seconds. */
const flushEveryMs = 3_000
const watchedFlushEveryMs = 1_000

export function createTrafficCollector(dependencies: Dependencies): TrafficCollector {
  const { now } = dependencies
  const listeners = new Set<TrafficListener>()
  const beacons = createBeaconCounter()
  const tell = (tick: LiveTick): void => {
    dependencies.onTick?.(tick)
    for (const listener of listeners) listener(tick)
  }
  const flush = createFlush(dependencies, beacons, tell)
  let timer: Timer | undefined
  let isClosed = false

  function schedule(): void {
    clearTimeout(timer)
    if (isClosed) return
    const wanted = listeners.size > 0 ? watchedFlushEveryMs : flushEveryMs
    const delay = Math.min(wanted, millisecondsToNextMinute(now()))
    timer = setTimeout(() => void flush().then(schedule), delay)
  }

  schedule()
  return {
    beacon: (beacon) => beacons.count(beacon),
    flush,
    show(rows) {
      const at = now()
      tell(liveTick(rows, new Date(at.getTime() - flushEveryMs), at))
    },
    watch(listener) {
      listeners.add(listener)
      if (listeners.size === 1) schedule()
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await flush()
    },
  }
}

function createFlush(
  { store, drain, takeAudience, takeCalls, process, now, log }: Dependencies,
  beacons: BeaconCounter,
  tell: TrafficListener,
): () => Promise<void> {
  const mutex = new Mutex()
  let number = 0
  let drainedAt = now()
  let unstored: TrafficFlush | undefined

  /** All that is drained was counted after the last time, so it belongs to the minute of that. */
  function take(): TrafficFlush | undefined {
    const [from, to] = [drainedAt, now()]
    const rows = drain().map(({ cache, ...row }) => ({ ...row, isHit: cache === 'HIT' }))
    drainedAt = to
    tell(liveTick(rows, from, to))
    const reported = beacons.take()
    const audience = takeAudience?.() ?? []
    const calls = takeCalls?.() ?? []
    if (rows.length + reported.length + audience.length + calls.length === 0) return undefined
    number += 1
    const when = { hour: hourOf(from), minute: minuteOf(from) % 60 }
    return { process, number, ...when, rows, beacons: reported, audience, calls }
  }

  /** What cannot be stored is tried again, under its number; meanwhile the counters go on counting. */
  return async () => {
    using _turn = await mutex.acquire()
    try {
      if (unstored !== undefined) await store.record(unstored)
      unstored = undefined
      unstored = take()
      if (unstored !== undefined) await store.record(unstored)
      unstored = undefined
    } catch (error) {
      log.warn('traffic could not be stored and is kept to be stored later', { error })
    }
  }
}
