import type { EdgeRecord } from '../../ports/edges/edge-store.ts'
import { lowerBound } from '../catalog/order/ranks.ts'

/** Edges by name, with where each of them stood when. */
export interface EdgeHistories {
  find(name: string): EdgeRecord | undefined
  /** What is older than what is known already changes nothing. */
  learn(record: EdgeRecord): void
  forget(name: string): void
  /** By name. */
  all(): readonly EdgeRecord[]
  /** When an edge was first known to serve what was published up to `seq`. */
  since(name: string, seq: number): Date | undefined
}

interface History {
  record: EdgeRecord
  /** Numbers and when they were first acknowledged, both growing. */
  readonly seqs: number[]
  readonly times: Date[]
}

const maxKept = 1_000

export function createEdgeHistories(): EdgeHistories {
  const historyByName = new Map<string, History>()
  return {
    find: (name) => historyByName.get(name)?.record,
    learn(record) {
      const known = historyByName.get(record.name)
      if (known === undefined)
        historyByName.set(record.name, { record, seqs: [record.seq], times: [record.since] })
      else if (record.lastSeenAt >= known.record.lastSeenAt) append(known, record)
    },
    forget: (name) => void historyByName.delete(name),
    all: () =>
      [...historyByName.values()]
        .map(({ record }) => record)
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    since(name, seq) {
      const known = historyByName.get(name)
      if (known === undefined) return undefined
      const { seqs, times } = known
      return times[lowerBound(seqs.length, (place) => (seqs[place] ?? 0) < seq)]
    },
  }
}

/** An edge that starts anew, or follows a restored origin, may stand at an earlier place than before. */
function append(history: History, record: EdgeRecord): void {
  const { seqs, times } = history
  history.record = record
  while ((seqs.at(-1) ?? -1) > record.seq) {
    seqs.pop()
    times.pop()
  }
  if (seqs.at(-1) === record.seq) return
  seqs.push(record.seq)
  times.push(record.since)
  if (seqs.length <= maxKept) return
  seqs.shift()
  times.shift()
}
