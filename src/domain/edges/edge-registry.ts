import type { Log } from '../../lib/log.ts'
import type { Acknowledgement } from '../../ports/edges/edge-origin.ts'
import type { EdgeRecord, EdgeStore } from '../../ports/edges/edge-store.ts'
import { createEdgeHistories, type EdgeHistories } from './edge-histories.ts'

export interface EdgeState extends EdgeRecord {
  /** Whether it was heard of lately. */
  readonly isLive: boolean
}

/** Whether one edge serves a place of the feed, and since when that is known. */
export interface EdgeStanding {
  readonly edge: EdgeState
  /** `undefined` where it does not. */
  readonly since: Date | undefined
}

/** What the control plane knows of its edges. */
export interface EdgeRegistry extends AsyncDisposable {
  acknowledge(acknowledgements: readonly Acknowledgement[]): void
  /** By name. */
  list(): Promise<readonly EdgeState[]>
  /** How each edge stands to what was published up to `seq`. */
  standings(seq: number): Promise<readonly EdgeStanding[]>
}

interface Dependencies {
  readonly store: EdgeStore
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

/** An edge gives a sign of life every ten seconds. */
const livesForMs = 35_000
const keptForMs = 7 * 86_400_000
const saveEveryMs = 2_000

export async function openEdgeRegistry(dependencies: Dependencies): Promise<EdgeRegistry> {
  const { store, now } = dependencies
  const histories = createEdgeHistories()
  for (const record of await store.list()) histories.learn(record)
  const saver = createSaver(dependencies, histories)

  function acknowledge({ name, seq, via }: Acknowledgement): void {
    const at = now()
    const before = histories.find(name)
    const since = before?.seq === seq ? before.since : at
    const firstSeenAt = before?.firstSeenAt ?? at
    histories.learn({ name, seq, since, firstSeenAt, lastSeenAt: at, via })
    saver.note(name)
  }

  async function list(): Promise<readonly EdgeState[]> {
    // Another process may have heard of edges that this one has not.
    for (const record of await store.list()) histories.learn(record)
    const at = now().getTime()
    const ageOf = ({ lastSeenAt }: EdgeRecord) => at - lastSeenAt.getTime()
    for (const record of histories.all())
      if (ageOf(record) > keptForMs) {
        histories.forget(record.name)
        await store.forget(record.name)
      }
    return histories.all().map((record) => ({ ...record, isLive: ageOf(record) < livesForMs }))
  }

  return {
    acknowledge: (all) => all.forEach(acknowledge),
    list,
    standings: async (seq) =>
      (await list()).map((edge) => ({ edge, since: histories.since(edge.name, seq) })),
    [Symbol.asyncDispose]: () => saver[Symbol.asyncDispose](),
  }
}

/** Writes what was noted down, all together every few seconds. */
function createSaver({ store, log }: Dependencies, histories: EdgeHistories) {
  const unsaved = new Set<string>()
  let saving: Promise<void> = Promise.resolve()

  async function save(): Promise<void> {
    const names = [...unsaved]
    unsaved.clear()
    if (names.length === 0) return
    try {
      await store.save(names.flatMap((name) => histories.find(name) ?? []))
    } catch (error) {
      for (const name of names) unsaved.add(name)
      log.warn('what edges serve could not be written down', { error })
    }
  }

  const timer = setInterval(() => {
    saving = saving.then(save)
  }, saveEveryMs)
  return {
    note: (name: string) => void unsaved.add(name),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await saving
      await save()
    },
  }
}
