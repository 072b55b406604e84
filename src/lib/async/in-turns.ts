import { takeTurns } from './turns.ts'

/** What `each` makes of every one, in order; others have their turn after so many. */
export async function flatMapInTurns<T, R>(
  all: Iterable<T>,
  perTurn: number,
  each: (one: T) => readonly R[],
): Promise<R[]> {
  const made: R[] = []
  const turns = takeTurns(perTurn)
  for (const one of all) {
    for (const some of each(one)) made.push(some)
    await turns.after(1)
  }
  return made
}

/** Sorted as `toSorted` does; others have their turn after so many. */
export async function sortInTurns<T>(
  all: readonly T[],
  perTurn: number,
  compare: (one: T, other: T) => number,
): Promise<readonly T[]> {
  const turns = takeTurns(perTurn)
  let runs: T[][] = []
  for (let start = 0; start < all.length; start += perTurn) {
    runs.push(all.slice(start, start + perTurn).toSorted(compare))
    await turns.after(perTurn)
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let place = 0; place < runs.length; place += 2)
      merged.push(await mergeRuns(runs[place] ?? [], runs[place + 1] ?? [], { turns, compare }))
    runs = merged
  }
  return runs[0] ?? []
}

interface Merging<T> {
  readonly turns: ReturnType<typeof takeTurns>
  readonly compare: (one: T, other: T) => number
}

async function mergeRuns<T>(
  former: readonly T[],
  later: readonly T[],
  { turns, compare }: Merging<T>,
): Promise<T[]> {
  const merged: T[] = []
  let [at, otherAt] = [0, 0]
  while (at < former.length && otherAt < later.length) {
    const isFirst = compare(former[at]!, later[otherAt]!) <= 0
    merged.push(isFirst ? former[at++]! : later[otherAt++]!)
    await turns.after(1)
  }
  return [...merged, ...former.slice(at), ...later.slice(otherAt)]
}
