/** How far what a node shows may be from what is, as it knows itself. */
export interface Freshness extends AsyncDisposable {
  /** For so long at most something may have been published that is not shown here. */
  readonly behindMs: number
  /** So long ago it was looked up last who may come in. */
  readonly credentialsAgeMs: number
}

interface Dependencies {
  /** The newest number of the feed, as what all nodes share says. */
  readonly newestSeq: () => Promise<number>
  /** Answers whether a number of the feed is shown here, once it is or the patience is over. */
  readonly isShown: (seq: number, patienceMs: number) => Promise<boolean>
  /** Learns who may come in now. */
  readonly readCredentials: () => Promise<void>
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  readonly onFault: (error: unknown) => void
}

const lookEveryMs = 250
const patienceMs = 1_000

/** Looks all the time, at what all nodes share and not at the one that writes: that one may be gone. */
export function watchFreshness(dependencies: Dependencies): Freshness {
  const { newestSeq, isShown, readCredentials, monotonicMs } = dependencies
  const stopping = new AbortController()
  let [levelAt, readAt] = [-Infinity, -Infinity]

  async function lookAtFeed(): Promise<void> {
    const began = monotonicMs()
    // What is shown then was all there was when the question began.
    if (await isShown(await newestSeq(), patienceMs)) levelAt = began
  }

  async function lookAtCredentials(): Promise<void> {
    const began = monotonicMs()
    await readCredentials()
    readAt = began
  }

  const shared = { ...dependencies, signal: stopping.signal }
  const looking = [repeat(lookAtFeed, shared), repeat(lookAtCredentials, shared)]
  return {
    get behindMs() {
      return monotonicMs() - levelAt
    },
    get credentialsAgeMs() {
      return monotonicMs() - readAt
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(looking)
    },
  }
}

async function repeat(
  look: () => Promise<void>,
  {
    pause,
    onFault,
    signal,
  }: Pick<Dependencies, 'pause' | 'onFault'> & { readonly signal: AbortSignal },
): Promise<void> {
  let hasFailed = false
  while (!signal.aborted) {
    try {
      await look()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onFault(error)
      hasFailed = true
    }
    await pause(lookEveryMs, signal)
  }
}
