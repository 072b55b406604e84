import { setImmediate } from 'node:timers/promises'

/** Lets everything else that waits have its turn, each time that so much work has been done. */
export interface Turns {
  /** To be awaited after each piece of work; answers at once until there is enough of it, or it has taken long. */
  after(work: number): Promise<void>
}

/** What the same work takes differs by machine and by what is in it: others wait no longer than this either way. */
const longestMs = 15

/** What is given up after so much work, or after some milliseconds. */
export function takeTurns(
  workPerTurn: number,
  monotonicMs: () => number = () => performance.now(),
): Turns {
  let done = 0
  let startedAt = monotonicMs()
  return {
    async after(work) {
      done += work
      if (done < workPerTurn && monotonicMs() - startedAt < longestMs) return
      done = 0
      await setImmediate()
      startedAt = monotonicMs()
    },
  }
}
