import { MemoryReplicaStore } from '../../src/adapters/memory/edges/memory-edge-stores.ts'
import { type Following, followOrigin } from '../../src/domain/edges/feed/follow-origin.ts'
import { openReplica, type Replica } from '../../src/domain/edges/feed/replica.ts'
import { newCatalog } from '../../src/domain/edges/fixtures/edge-world.ts'
import {
  createManifestParts,
  type ManifestParts,
} from '../../src/domain/edges/manifest/manifest-parts.ts'
import { manifestRoot } from '../../src/domain/edges/manifest/manifest-root.ts'
import { countersOf } from '../../src/edge/purge/counter-names.ts'
import {
  createPurgeGenerations,
  type PurgeGenerations,
} from '../../src/edge/purge/purge-generations.ts'
import type { Random } from '../support/random.ts'
import type { Attendance, SimulatedClock } from './simulated-clock.ts'
import type { SimulatedOrigin } from './simulated-origin.ts'
import { openSimulatedWire, type SimulatedWire, type WireCount } from './simulated-wire.ts'

export interface SimulatedEdge {
  readonly name: string
  readonly wire: SimulatedWire
  /** The newest number that it ever showed. */
  readonly shownSeq: number
  /** Since when it hears all, without a fault; `undefined` while it does not. */
  readonly hearsSinceMs: number | undefined
  start(): Promise<void>
  /** Takes a message in so many milliseconds; 0 is at once. */
  hearBadly(everyMs: number): void
  /** As a kill does: what was kept is kept. */
  stop(): Promise<void>
  /** What all that it shows hashes to. */
  root(): Promise<string>
}

interface World {
  readonly name: string
  readonly clock: SimulatedClock
  readonly origin: SimulatedOrigin
  readonly random: Random
  readonly count: WireCount
  readonly onFault: (fault: string) => void
  /** How long after it was published a purge held here, of an edge that hears all. */
  readonly onPurge: (ms: number) => void
}

const cachedPaths = 6
const maxPauseMs = 15_000
/** Less than an edge has, so that a thousand of them fit: what does not fit is folded, as it is there. */
const purgeBounds = { maxExact: 500, slots: 256 }
const noFields = new Headers()
const countersOfPath = (path: string) => countersOf(`http://edge.test/${path}`, noFields) ?? []

interface State {
  shownSeq: number
  standsAt: number
  hearsSinceMs: number | undefined
  hearsBadly: boolean
}

interface Running {
  readonly replica: Replica
  readonly parts: ManifestParts
  readonly following: Following
  readonly attendance: Attendance
}

/** The same, but that time goes on while it is waited for. */
const awaitedOf = (
  { feed, manifest, part }: SimulatedWire['origin'],
  attendance: Attendance,
): SimulatedWire['origin'] => ({
  manifest: () => attendance.awaiting(manifest()),
  part: (name) => attendance.awaiting(part(name)),
  async *feed(since, signal) {
    const messages = feed(since, signal)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await attendance.awaiting(messages.next())
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await attendance.awaiting(Promise.resolve(messages.return?.()))
    }
  },
})

/** A real replica at the end of a wire, with what an edge caches, each step held to what the origin published. */
export function createSimulatedEdge(world: World): SimulatedEdge {
  const { name, clock, origin, random, onFault } = world
  const store = new MemoryReplicaStore()
  const state: State = { shownSeq: 0, standsAt: 0, hearsSinceMs: undefined, hearsBadly: false }
  const wire = openSimulatedWire({ ...world, onLost: () => (state.hearsSinceMs = undefined) })
  let running: Running | undefined

  async function start(): Promise<void> {
    const generations = createPurgeGenerations(purgeBounds)
    const replica = await openReplica({
      catalog: newCatalog(),
      store,
      onReplaced: () => undefined,
      onSubscriberFault: (fault) => onFault(`${name}: ${String(fault)}`),
    })
    replica.feed.subscribe((entries) => generations.applyFeed(entries))
    const watch = createWatch(world, { replica, generations })
    const { published, feed } = replica
    const parts = createManifestParts({ published, feed })
    const attendance = clock.attend()
    const following = followOrigin({
      origin: awaitedOf(wire.origin, attendance),
      replica,
      parts,
      onPosition({ seq }) {
        watch.look(seq, state)
        state.shownSeq = Math.max(state.shownSeq, seq)
        state.standsAt = seq
        // What waited for it while it was slow may still be under way.
        const isNewest = seq === origin.position.seq
        if (isNewest && !state.hearsBadly) state.hearsSinceMs ??= clock.nowMs
        clock.after(wire.latencyMs(), () => {
          // As the acknowledger does: the newest that there is to say.
          if (!origin.isAway)
            origin.registry.acknowledge([{ name, seq: state.standsAt, via: undefined }])
        })
      },
      maxPauseMs,
      random: () => random.next(),
      pause: (ms, signal) => attendance.awaiting(clock.wait(ms, signal)),
      log: { warn: () => undefined },
    })
    following.caughtUp.catch(() => undefined)
    running = { replica, parts, following, attendance }
  }

  return {
    name,
    wire,
    get shownSeq() {
      return state.shownSeq
    },
    get hearsSinceMs() {
      return state.hearsSinceMs
    },
    start,
    hearBadly(everyMs) {
      wire.readEvery(everyMs)
      state.hearsBadly = everyMs > 0
      state.hearsSinceMs = undefined
    },
    async stop() {
      state.hearsSinceMs = undefined
      await running?.following[Symbol.asyncDispose]()
      running?.parts[Symbol.dispose]()
      running?.attendance[Symbol.dispose]()
      running = undefined
    },
    async root() {
      if (running?.replica.position === undefined) return 'nothing'
      const standing = { position: running.replica.position, isCurrent: true }
      return (await clock.standStill(manifestRoot(running.parts, standing))).sha256
    },
  }
}

interface Watched {
  readonly replica: Replica
  readonly generations: PurgeGenerations
}

/** Looks at each position that is shown whether all is there that was published up to it, and nothing cached is older. */
function createWatch(
  { name, clock, origin, random, onFault, onPurge }: World,
  { replica, generations }: Watched,
) {
  const pick = () => origin.paths[random.integer(0, origin.paths.length - 1)] ?? ''
  const generationByPath = new Map(
    Array.from({ length: cachedPaths }, () => [pick(), generations.newest] as const),
  )
  let lookedSeq = replica.position?.seq ?? 0

  function lookAtPath(path: string, seq: number): void {
    const [shown, published] = [replica.published.asset(path)?.sha256, origin.shaAt(path, seq)]
    if (shown !== published)
      onFault(`${name} at ${seq}: ${path} is ${shown ?? 'nothing'}, not ${published ?? 'nothing'}`)
  }

  function lookAtCached(seq: number, isOlder: (path: string) => boolean): void {
    for (const [path, generation] of generationByPath) {
      if (!isOlder(path)) continue
      if (generations.stateOf(generation, countersOfPath(path)) === 'current')
        onFault(`${name} at ${seq}: what is cached of ${path} counts as current`)
    }
  }

  return {
    look(seq: number, state: Readonly<State>): void {
      if (seq < state.shownSeq) onFault(`${name}: goes back from ${state.shownSeq} to ${seq}`)
      if (seq > origin.position.seq) onFault(`${name}: ${seq} was never published`)
      for (let step = lookedSeq + 1; step <= seq; step += 1) {
        const announced = origin.announced(step)
        if (announced === undefined) continue
        lookAtCached(step, announced.isOlder)
        if (announced.isPurge && (state.hearsSinceMs ?? Infinity) <= announced.atMs)
          onPurge(clock.nowMs - announced.atMs)
        if (announced.path !== undefined) lookAtPath(announced.path, seq)
      }
      lookedSeq = seq
      lookAtPath(pick(), seq)
      lookAtPath(pick(), seq)
      for (const path of generationByPath.keys()) generationByPath.set(path, generations.newest)
    },
  }
}
