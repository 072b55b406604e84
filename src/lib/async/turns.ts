import { setImmediate } from 'node:timers/promises'

/** Lets everything else that waits have its turn, each time that so much work has been done. */
export interface Turns {
  /** To be awaited after each piece of work; answers at once until there is enough of it. */
  after(work: number): Promise<void>
}

export function takeTurns(workPerTurn: number): Turns {
  let done = 0
  return {
    async after(work) {
      done += work
      if (done < workPerTurn) return
      done = 0
      await setImmediate()
    },
  }
}
