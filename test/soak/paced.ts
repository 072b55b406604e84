import { setTimeout as wait } from 'node:timers/promises'

export interface Paced {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<void>
}

export interface PacedWork extends AsyncDisposable {
  /** How often each was done, faults not counted. */
  readonly doneByName: ReadonlyMap<string, number>
}

/** What takes longer hangs, and must not keep the whole from its end. */
const patienceMs = 120_000

/** Does each piece of work at its own pace, one at a time, until it is disposed of. */
export function doAtPace(
  work: readonly Paced[],
  onFault: (name: string, fault: unknown) => void,
): PacedWork {
  const doneByName = new Map<string, number>()
  const ending = new AbortController()

  async function repeat({ name, everyMs, run }: Paced): Promise<void> {
    let dueAtMs = performance.now()
    while (!ending.signal.aborted) {
      await inTime(run()).then(
        () => doneByName.set(name, (doneByName.get(name) ?? 0) + 1),
        (fault: unknown) => onFault(name, fault),
      )
      // Who is late does not hurry after: the pace is for the machine's sake.
      dueAtMs = Math.max(dueAtMs + everyMs, performance.now())
      const ms = Math.max(0, dueAtMs - performance.now())
      await wait(ms, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  const running = work.map(repeat)
  return {
    doneByName,
    async [Symbol.asyncDispose]() {
      ending.abort()
      await Promise.all(running)
    },
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error('it did not end in time')), patienceMs)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
