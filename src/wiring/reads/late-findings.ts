import type { Feed } from '../../ports/records/manifest.ts'

/** Tells the path of each file that more may have been found out about. */
export interface LateFindings extends Disposable {
  subscribe(listener: (path: string) => void): Disposable
}

/** Nobody tells when a file has been looked at: so long after each change it may have been. */
const afterMs = [2_000, 15_000, 120_000, 1_800_000] as const
const lookEveryMs = 1_000
/** More than comes in a second when much is stored at once; what is over waits for the next. */
const maxPerLook = 1_000
/** Of more than that the oldest are looked at once less. */
const maxWaiting = 200_000

interface Stage {
  readonly waitMs: number
  /** When each is due, in that order. */
  readonly dueByPath: Map<string, number>
}

/** What is found out of files, where another node looks at them and this one reads what it has found. */
export function createLateFindings(
  feed: Pick<Feed, 'subscribe'>,
  monotonicMs: () => number,
): LateFindings {
  const listeners = new Set<(path: string) => void>()
  const stages: readonly Stage[] = afterMs.map((waitMs) => ({ waitMs, dueByPath: new Map() }))

  function enter(stage: Stage | undefined, path: string): void {
    if (stage === undefined) return
    const { dueByPath, waitMs } = stage
    dueByPath.delete(path)
    dueByPath.set(path, monotonicMs() + waitMs)
    const [oldest] = dueByPath.keys()
    if (dueByPath.size > maxWaiting && oldest !== undefined) dueByPath.delete(oldest)
  }

  function look(): void {
    for (const [place, { dueByPath }] of stages.entries())
      for (const path of dueOf(dueByPath, monotonicMs())) {
        dueByPath.delete(path)
        enter(stages[place + 1], path)
        for (const listener of listeners) listener(path)
      }
  }

  const subscription = feed.subscribe((entries) => {
    for (const { path } of entries) if (path !== undefined) enter(stages[0], path)
  })
  const timer = setInterval(look, lookEveryMs)
  return {
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      subscription[Symbol.dispose]()
    },
  }
}

function dueOf(dueByPath: ReadonlyMap<string, number>, now: number): readonly string[] {
  const due: string[] = []
  for (const [path, at] of dueByPath) {
    if (at > now || due.length === maxPerLook) break
    due.push(path)
  }
  return due
}
