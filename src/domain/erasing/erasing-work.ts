import type { Log } from '../../lib/log.ts'
import type { ErasureStore } from '../../ports/erasing/erasure-store.ts'
import type { ErasurePlace, ErasureRecord } from '../../ports/records/erasure.ts'
import { announceErasure, type AnnouncingDependencies } from './erasures.ts'
import type { ErasingPlace, PlaceOutcome } from './erasing-place.ts'

/** Goes on with every erasure until each place has confirmed. Closing waits for the place that is at it. */
export interface ErasingWork extends AsyncDisposable {
  wake(): void
}

interface Dependencies extends AnnouncingDependencies {
  readonly store: ErasureStore
  /** In this order: what brings bytes back comes before where it would bring them. */
  readonly places: readonly ErasingPlace[]
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Calls once and later; answers how to have it not called. */
  readonly later: (ms: number, task: () => void) => () => void
}

/** How soon it is looked again whether others have confirmed, or what failed can be done. */
const lookAgainMs = 2_000
const longestPauseMs = 60_000

export function createErasingWork(dependencies: Dependencies): ErasingWork {
  const { log, later } = dependencies
  const state = { isWanted: false, isClosed: false, pauseMs: lookAgainMs }
  let running: Promise<void> | undefined
  let cancel: (() => void) | undefined

  async function run(): Promise<void> {
    while (state.isWanted && !state.isClosed) {
      state.isWanted = false
      const isDone = await goOn(dependencies, () => state.isClosed).catch((error: unknown) => {
        log.warn('erasures could not be gone on with', { error })
        return false
      })
      if (!isDone) lookAgain()
    }
  }

  function lookAgain(): void {
    cancel?.()
    cancel = later(state.pauseMs, start)
    state.pauseMs = Math.min(state.pauseMs * 2, longestPauseMs)
  }

  function start(): void {
    if (state.isClosed) return
    state.isWanted = true
    running ??= run().finally(() => {
      running = undefined
      if (state.isWanted) start()
    })
  }

  return {
    wake() {
      // Who orders one does not wait out the pause of another.
      state.pauseMs = lookAgainMs
      start()
    },
    async [Symbol.asyncDispose]() {
      state.isClosed = true
      cancel?.()
      await running
    },
  }
}

const isSettled = ({ state }: ErasurePlace): boolean => state === 'confirmed' || state === 'told'

/** Answers whether nothing is left to do. */
async function goOn(dependencies: Dependencies, isClosed: () => boolean): Promise<boolean> {
  let isDone = true
  for (const erasure of await dependencies.store.open()) {
    if (isClosed()) return false
    isDone = (await eraseOne(erasure, dependencies)) && isDone
  }
  return isDone
}

async function eraseOne(erasure: ErasureRecord, dependencies: Dependencies): Promise<boolean> {
  const { store, places, log, now } = dependencies
  const { id } = erasure
  if (erasure.feedSeq === undefined) await announceErasure(erasure, dependencies)
  // What comes later may be brought back by what has yet to forget.
  for (const place of places) if (!(await hasTried(place, id, dependencies))) return false
  await noteGone(id, dependencies)
  if ((await store.find(id))?.places.every(isSettled) !== true) return false
  await store.finish(id, now())
  log.info('bytes were erased in every place', { erasure: id })
  return true
}

/** Answers whether nothing failed; somebody else may have yet to confirm. */
async function hasTried(
  place: ErasingPlace,
  id: string,
  { store, now }: Dependencies,
): Promise<boolean> {
  const own = new Set(await place.names())
  const erasure = await store.find(id)
  if (erasure === undefined) return false
  for (const known of erasure.places) {
    const { name } = known
    if (isSettled(known) || !own.has(name)) continue
    const { commits, state, detail } = await outcomeOf(place, erasure, name)
    if (commits !== undefined) await store.learn(id, { commits })
    if (known.state !== state || known.detail !== detail)
      await store.note(id, [{ name, at: now(), state, detail }])
    if (state === 'failed') return false
  }
  return true
}

async function outcomeOf(
  place: ErasingPlace,
  erasure: ErasureRecord,
  name: string,
): Promise<PlaceOutcome> {
  try {
    return await place.forget(erasure, name)
  } catch (error) {
    return { state: 'failed', detail: error instanceof Error ? error.message : String(error) }
  }
}

const goneDetail = 'not heard of any more; it forgets the bytes before it serves again'

/** What the ledger names and is there no more. */
async function noteGone(id: string, { store, places, now }: Dependencies): Promise<void> {
  const names = new Set<string>()
  for (const place of places) for (const name of await place.names()) names.add(name)
  const known = (await store.find(id))?.places ?? []
  const gone = known.filter((each) => !isSettled(each) && !names.has(each.name))
  if (gone.length > 0)
    await store.note(
      id,
      gone.map(({ name }) => ({ name, state: 'told', at: now(), detail: goneDetail })),
    )
}
