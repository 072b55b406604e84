import type { TakenUpCommit } from './import-foreign.ts'
import { dueInMs } from './mirror-pace.ts'
import { createMirrorRecord, type MirrorState } from './mirror-record.ts'
import { mirrorRound, type RoundDependencies } from './mirror-round.ts'

/** Keeps a repository elsewhere to what is committed here, beside all other work. */
export interface Mirror extends AsyncDisposable {
  readonly state: MirrorState
  /** Says that commits were published. */
  noteCommits(count: number): void
}

interface Dependencies extends Omit<RoundDependencies, 'onTakenUp' | 'signal'> {
  /** Calls back after so many milliseconds, unless disposed before. */
  readonly after: (ms: number, callBack: () => void) => Disposable
  readonly monotonicMs: () => number
  readonly random: () => number
  readonly now: () => Date
  readonly log: Parameters<typeof createMirrorRecord>[0]['log']
  /** How long the last push may take once the service is told to end. */
  readonly lastPushMs: number
}

/** A start has more urgent work. */
const firstRoundAfterMs = 1_000

export function startMirror(dependencies: Dependencies): Mirror {
  const { after, lastPushMs, remote } = dependencies
  const closing = new AbortController()
  const rounds = createMirrorLoop(dependencies, closing.signal)
  const { record } = rounds
  let running: Promise<void> | undefined
  let isLast = false
  let timer: Disposable | undefined = after(firstRoundAfterMs, begin)

  function begin(): void {
    timer = undefined
    running ??= rounds.run().finally(() => {
      running = undefined
      schedule()
    })
  }

  function schedule(): void {
    if (running || isLast) return
    timer?.[Symbol.dispose]()
    const wait = rounds.dueInMs()
    timer = wait === undefined ? undefined : after(wait, begin)
  }

  /** No timer is left that could begin another round. */
  async function pushTheRest(): Promise<void> {
    isLast = true
    timer?.[Symbol.dispose]()
    await running
    const { condition, pendingCommits } = record.state
    const isWell = condition === 'pending' || condition === 'starting'
    if (isWell && pendingCommits > 0) await rounds.run()
  }

  return {
    get state() {
      return record.state
    },
    noteCommits(count) {
      record.noteCommits(count)
      // A failure has its own pause, and the start as well.
      if (record.state.condition === 'pending') schedule()
    },
    async [Symbol.asyncDispose]() {
      const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
      using _limit = after(lastPushMs, resolve)
      const ending = pushTheRest()
      await Promise.race([ending, timeIsUp])
      closing.abort()
      await remote[Symbol.asyncDispose]()
      await ending
    },
  }
}

/** One round after another, and how long to wait between them. */
function createMirrorLoop(dependencies: Dependencies, signal: AbortSignal) {
  const { monotonicMs, random, takesUp } = dependencies
  const record = createMirrorRecord(dependencies)
  let standsAt: string | undefined
  let beganAt = monotonicMs()
  let endedAt = beganAt
  const parts = {
    ...dependencies,
    signal,
    onTakenUp: (taken: TakenUpCommit) => record.noteTakenUp(taken),
  }
  return {
    record,
    /** Never rejects. */
    async run(): Promise<void> {
      beganAt = monotonicMs()
      const pendingBefore = record.state.pendingCommits
      try {
        // Where others are to be heard of, the remote is looked at each time.
        const reached = await mirrorRound(parts, { standsAt: takesUp ? undefined : standsAt })
        const { lacks } = dependencies.remote
        record.noteReached({ pendingBefore, hasPushed: reached !== standsAt, lacks })
        standsAt = reached
      } catch (error) {
        standsAt = undefined
        if (!signal.aborted) record.noteFailed(error)
      } finally {
        endedAt = monotonicMs()
      }
    },
    dueInMs(): number | undefined {
      const at = monotonicMs()
      return dueInMs({
        ...record.state,
        sinceBeganMs: at - beganAt,
        sinceEndedMs: at - endedAt,
        looks: takesUp,
        chance: random(),
      })
    },
  }
}
