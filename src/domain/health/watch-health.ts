import type { Health } from './health.ts'

interface Dependencies {
  readonly health: Health
  /** Whether nobody would have to wait for the check. */
  readonly isIdle: () => boolean
  /** Runs something after so many milliseconds, unless it is disposed before. */
  readonly after: (ms: number, work: () => void) => Disposable
}

const firstAfterMs = 1_000
const everyMs = 60_000

/**
 * Looks deeply soon after the start and every minute while nobody waits, so that what a cheap check
 * tells of the parts that it does not use is never old.
 */
export function watchHealth({ health, isIdle, after }: Dependencies): Disposable {
  let isOver = false
  let next = after(firstAfterMs, look)

  function look(): void {
    const looked = isIdle() ? health.check({ deep: true }) : Promise.resolve()
    // Probes do not reject: what fails is told.
    void looked.finally(() => {
      if (!isOver) next = after(everyMs, look)
    })
  }

  return {
    [Symbol.dispose]() {
      isOver = true
      next[Symbol.dispose]()
    },
  }
}
