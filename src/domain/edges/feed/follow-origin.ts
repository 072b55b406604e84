import { setTimeout as wait } from 'node:timers/promises'

import { backOffMs } from '../../../lib/async/back-off.ts'
import type { Log } from '../../../lib/log.ts'
import { type EdgeOrigin, EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import type { FeedPosition } from '../../../ports/edges/replica-store.ts'
import { type Comparison, compareManifests } from '../manifest/compare-manifests.ts'
import { beginning, positionText } from '../manifest/manifest-root.ts'
import type { ManifestParts } from '../manifest/manifest-parts.ts'
import type { Replica } from './replica.ts'
import { readChange, type ReplicaChange } from './replica-change.ts'

export interface Following extends AsyncDisposable {
  /** Whether the feed is being heard. */
  readonly isConnected: boolean
  /**
   * Answers once the replica was at the origin's newest state for the first time since the start.
   * Rejects, and nothing is followed any more, where an edge that knows nothing yet is shut out.
   */
  readonly caughtUp: Promise<void>
}

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'feed' | 'manifest' | 'part'>
  readonly replica: Replica
  readonly parts: Pick<ManifestParts, 'names' | 'digest'>
  /** Told of each position once it shows, and of the newest after each connection. */
  readonly onPosition: (position: FeedPosition) => void
  /** How long it waits at most before it tries a lost origin again. */
  readonly maxPauseMs: number
  /** 0 up to, not including, 1. */
  readonly random: () => number
  /** Answers after so many milliseconds, or once `signal` is aborted; by the clock where it is left out. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: Pick<Log, 'warn'>
}

const firstPauseMs = 200

/** Keeps a replica to the feed of its origin, for as long as it takes and however often that is lost. */
export function followOrigin(dependencies: Dependencies): Following {
  const { replica, maxPauseMs, random, pause = pauseByClock, log } = dependencies
  const stopping = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  const state = { isConnected: false, mustCompare: replica.position === undefined, failures: 0 }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await followOnce(dependencies, { state, caughtUp, signal: stopping.signal })
      } catch (error) {
        if (stopping.signal.aborted) return
        if (error instanceof EdgeOriginError && error.isShutOut && replica.position === undefined)
          return caughtUp.reject(error)
        state.failures += 1
        if (state.failures <= 3) log.warn('the feed of the origin was lost', { error })
      }
      state.isConnected = false
      // Many edges lose one origin at the same time, and must not all come back at the same time.
      const ms = backOffMs(state.failures + 1, {
        firstMs: firstPauseMs,
        longestMs: maxPauseMs,
        random: random(),
      })
      await pause(ms, stopping.signal)
    }
  }

  const running = run()
  return {
    get isConnected() {
      return state.isConnected
    },
    caughtUp: caughtUp.promise,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

const pauseByClock = async (ms: number, signal: AbortSignal): Promise<void> =>
  await wait(ms, undefined, { signal }).catch(() => undefined)

interface State {
  isConnected: boolean
  mustCompare: boolean
  failures: number
}

interface Journey {
  readonly state: State
  readonly caughtUp: { readonly resolve: () => void }
  readonly signal: AbortSignal
}

async function followOnce(
  dependencies: Dependencies,
  { state, caughtUp, signal }: Journey,
): Promise<void> {
  const { origin, replica, onPosition } = dependencies
  let comparison = state.mustCompare ? await compare(dependencies) : undefined
  let parts: ReplicaChange[] = []
  const since = comparison?.position ?? replica.position ?? beginning
  let heard = since
  for await (const message of origin.feed(positionText(since), signal)) {
    if (message.kind === 'resync') {
      state.mustCompare = true
      return
    }
    const change = await readChange(message.text)
    requireNoGap(change.from, heard)
    heard = change.to
    parts.push(change)
    Object.assign(state, { isConnected: true, failures: 0 })
    // What comes in parts is shown once it is whole. Where that is lost meanwhile, nothing of it was shown.
    if (change.continues) continue
    await (comparison === undefined ? replica.apply(parts) : replica.replace(comparison, parts))
    ;[comparison, parts] = [undefined, []]
    state.mustCompare = false
    onPosition(replica.position ?? beginning)
    caughtUp.resolve()
  }
}

async function compare({ origin, parts, replica }: Dependencies): Promise<Comparison> {
  const comparison = await compareManifests(origin, parts)
  requireNoStepBack(comparison, replica.position)
  return comparison
}

function requireNoGap(from: number, position: FeedPosition): void {
  if (from > position.seq)
    throw new Error(`The feed goes on from ${from} and leaves out what came before`)
}

/** An edge in between that has lost the origin may know less than this one has shown already. */
function requireNoStepBack(
  { position, isCurrent }: Comparison,
  here: FeedPosition | undefined,
): void {
  if (!isCurrent && here !== undefined && position.seq < here.seq)
    throw new Error('The edge in between is behind this one and has lost the origin')
}
