import type { Log } from '../../lib/log.ts'
import type { WriterLease } from '../../ports/edges/writer-lease.ts'

interface Dependencies {
  readonly lease: WriterLease
  /** Where this node is reached. */
  readonly url: string
  /** How long a lease lasts without being renewed. */
  readonly termMs: number
  readonly monotonicMs: () => number
  /** Waits, or comes back early where the signal is given. Never rejects. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Told of whoever writes, each time it is asked; `undefined` while nobody does. */
  readonly onWriter: (url: string | undefined) => void
  /** Makes this node the one that writes. Where it rejects, another one is given the chance. */
  readonly lead: (leadership: Leadership) => Promise<void>
  /** Told once that another node writes now although this one still did. */
  readonly onLost: () => void
  readonly log: Pick<Log, 'warn'>
}

/** The right to write, as the node that has it knows it. */
export interface Leadership {
  readonly epoch: number
  /** Whether it was renewed within its term. Where not, another node may have it without our knowing. */
  readonly isCurrent: boolean
}

/** Tries to be the node that writes whenever nobody else is, until it is disposed. */
export function electLeader(dependencies: Dependencies): AsyncDisposable {
  const { lease, url, termMs, pause, onWriter, lead, log } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const pollMs = termMs / 20

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const epoch = await look().catch((error: unknown) => {
        log.warn('who writes cannot be found out', { error })
        return undefined
      })
      if (epoch !== undefined && (await leadFor(epoch))) return
      await pause(pollMs, signal)
    }
  }

  /** The epoch of this node, where one has just begun. */
  async function look(): Promise<number | undefined> {
    const holder = await lease.holder()
    onWriter(holder?.url)
    return holder === undefined ? await lease.take(url) : undefined
  }

  /** Answers `true` once there is nothing more to lead; `false` where this node could not. */
  async function leadFor(epoch: number): Promise<boolean> {
    const renewing = keepRenewing(epoch, dependencies, signal)
    try {
      await lead(renewing.leadership)
    } catch (error) {
      log.warn('this node cannot write and lets another one', { error })
      await renewing.stop()
      await lease.release(epoch).catch(() => undefined)
      // Long enough that it is not the next one again.
      await pause(termMs, signal)
      return false
    }
    await renewing.done
    return true
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

/** Renews until told to stop, and then gives the lease up; or until it is lost. */
function keepRenewing(epoch: number, dependencies: Dependencies, signal: AbortSignal) {
  const { lease, termMs, monotonicMs, pause, onLost, log } = dependencies
  const stopping = new AbortController()
  const ended = AbortSignal.any([signal, stopping.signal])
  let renewedAtMs = monotonicMs()

  async function run(): Promise<void> {
    while (!ended.aborted) {
      await pause(termMs / 4, ended)
      if (ended.aborted) return
      const askedAtMs = monotonicMs()
      const isOurs = await lease.renew(epoch).catch((error: unknown) => {
        log.warn('the right to write could not be renewed', { error })
        return undefined
      })
      if (isOurs === false) return onLost()
      if (isOurs === true) renewedAtMs = askedAtMs
    }
  }

  const running = run()
  return {
    leadership: {
      epoch,
      get isCurrent() {
        return monotonicMs() - renewedAtMs < termMs
      },
    },
    /** Nothing more is asked of this node. */
    done: running,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
