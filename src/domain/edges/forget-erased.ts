import type { Feed } from '../../ports/records/manifest.ts'

/** Keeps what was erased off the disk of an edge. */
export interface ForgettingErased extends Disposable {
  /** Resolves once nothing is left of all that is known to be erased at the time of asking. */
  settled(): Promise<void>
}

interface Dependencies {
  readonly published: { erased(): readonly string[] }
  readonly feed: Pick<Feed, 'subscribe'>
  /** Once it resolves nothing of the bytes is here. */
  readonly forget: (sha256s: readonly string[]) => Promise<void>
  readonly onFault: (error: unknown) => void
  /** Milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>
}

const tryAgainMs = 1_000
const sha256Pattern = /^[0-9a-f]{64}$/u

/** Begins with all that is known, as the process before may have been killed in the middle of it. */
export function forgetErased(dependencies: Dependencies): ForgettingErased {
  const { published, feed, forget, onFault, pause } = dependencies
  const forgotten = new Set<string>()
  const state = { isClosed: false }

  async function forgetNew(): Promise<void> {
    while (!state.isClosed) {
      const names = published.erased()
      const left = names.filter((name) => sha256Pattern.test(name) && !forgotten.has(name))
      if (left.length === 0) return
      try {
        await forget(left)
        for (const sha256 of left) forgotten.add(sha256)
      } catch (error) {
        onFault(error)
        await pause(tryAgainMs)
      }
    }
  }

  let last = forgetNew()
  const again = (): void => {
    last = last.then(forgetNew)
  }
  const subscription = feed.subscribe((entries) => {
    if (entries.some(({ event }) => event === 'content.erased')) again()
  })
  return {
    settled: () => last,
    [Symbol.dispose]() {
      state.isClosed = true
      subscription[Symbol.dispose]()
    },
  }
}
