import { createRandom, type Random } from '../support/random.ts'
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts'
import { createSimulatedEdge, type SimulatedEdge } from './simulated-edge.ts'
import { openSimulatedOrigin, type SimulatedOrigin } from './simulated-origin.ts'
import type { WireCount } from './simulated-wire.ts'

export interface LargeOptions {
  readonly edges: number
  /** So many of them are cut off, slow, or away, at any time. */
  readonly cut: number
  readonly minutes: number
  readonly seed: number
  readonly onMinute: (minute: number, faults: readonly string[]) => void
}

export interface LargeOutcome {
  readonly faults: readonly string[]
  readonly seq: number
  readonly agreeing: number
  /** What the registry says at the end: so many serve the newest number. */
  readonly acknowledged: number
  readonly troubles: Readonly<Record<string, number>>
  readonly count: WireCount
  readonly cost: SimulatedOrigin['cost']
  /** Milliseconds from a purge until it held at an edge that heard all. */
  readonly purgeMs: readonly number[]
}

const publishEveryMs = 4_000
const maxPurgeMs = 1_000
/** Beyond the longest pause of an edge that has lost its origin, and what it then has to fetch. */
const graceMs = 60_000
const restarts = 2
const minuteMs = 60_000

/** Many edges for a long time, in simulated time, each step of each of them held to what was published. */
export async function runEdgesInTheLarge(options: LargeOptions): Promise<LargeOutcome> {
  const random = createRandom(options.seed)
  const clock = createSimulatedClock()
  await using origin = await openSimulatedOrigin(clock)
  const faults: string[] = []
  const purgeMs: number[] = []
  const count: WireCount = {
    connections: 0,
    messages: 0,
    messageBytes: 0,
    resyncs: 0,
    manifestBytes: 0,
  }
  const edges = Array.from({ length: options.edges }, (_, place) =>
    createSimulatedEdge({
      name: `edge-${place}`,
      clock,
      origin,
      random: createRandom(random.integer(0, 2 ** 31)),
      count,
      onFault: (fault) => void (faults.length < 1_000 && faults.push(fault)),
      onPurge: (ms) => void purgeMs.push(ms),
    }),
  )
  for (const edge of edges) await edge.start()
  const endMs = options.minutes * minuteMs
  keepPublishing({ clock, origin, random, edges, faults, endMs })
  const troubles = keepInTrouble({ clock, random, edges, cut: options.cut, endMs })
  for (let restart = 1; restart <= restarts; restart += 1)
    clock.after((endMs * restart) / (restarts + 1), () => origin.restart())
  for (let minute = 1; minute <= options.minutes; minute += 1) {
    await clock.runUntil(minute * minuteMs)
    options.onMinute(minute, faults)
  }
  await clock.runUntil(endMs + graceMs)
  const agreeing = await countAgreeing(edges, origin)
  const { seq } = origin.position
  const standings = await origin.registry.standings(seq)
  const acknowledged = standings.filter(({ since }) => since !== undefined).length
  for (const edge of edges) await edge.stop()
  return { faults, seq, agreeing, acknowledged, troubles, count, cost: origin.cost, purgeMs }
}

interface Publishing {
  readonly clock: SimulatedClock
  readonly origin: SimulatedOrigin
  readonly random: Random
  readonly edges: readonly SimulatedEdge[]
  readonly faults: string[]
  readonly endMs: number
}

function keepPublishing({ clock, origin, random, edges, faults, endMs }: Publishing): void {
  const publish = () => {
    if (clock.nowMs >= endMs) return
    if (!origin.isAway) void clock.standStill(origin.publish(random)).then(lookSoon)
    clock.after(publishEveryMs, publish)
  }
  /** An edge that hears all since before has it within a second. */
  const lookSoon = () => {
    const [{ seq }, atMs] = [origin.position, clock.nowMs]
    clock.after(maxPurgeMs, () => {
      for (const { name, hearsSinceMs, shownSeq } of edges)
        if (hearsSinceMs !== undefined && hearsSinceMs <= atMs && shownSeq < seq)
          faults.push(`${name} does not show ${seq} after a second`)
    })
  }
  clock.after(publishEveryMs, publish)
}

interface Troubling {
  readonly clock: SimulatedClock
  readonly random: Random
  readonly edges: readonly SimulatedEdge[]
  readonly cut: number
  readonly endMs: number
}

const kinds = ['cut', 'slow', 'restarted', 'away for long'] as const
type Kind = (typeof kinds)[number]

/** As many as may be are in trouble at any time; who comes out of it makes room for another. */
function keepInTrouble({ clock, random, edges, cut, endMs }: Troubling) {
  const counts = { cut: 0, slow: 0, restarted: 0, 'away for long': 0 }
  const well = new Set(edges)
  let left: Kind[] = []

  /** Each of them before one comes again: a short run has all of them too. */
  function nextKind(): Kind {
    if (left.length === 0) left = [...kinds]
    const [kind = 'cut'] = left.splice(random.integer(0, left.length - 1), 1)
    return kind
  }

  async function trouble(): Promise<void> {
    while (clock.nowMs < endMs) {
      const edge = [...well][random.integer(0, well.size - 1)]
      if (edge === undefined) return
      well.delete(edge)
      const kind = nextKind()
      counts[kind] += 1
      await troubleBy[kind](edge, { clock, random, endMs })
      well.add(edge)
    }
  }

  // Not all at the very start, when nobody has heard of anything yet.
  for (let place = 0; place < cut; place += 1)
    clock.after(random.integer(1_000, 20_000), () => void trouble())
  return counts
}

type Trouble = (
  edge: SimulatedEdge,
  at: Pick<Troubling, 'clock' | 'random' | 'endMs'>,
) => Promise<void>

const cutFor =
  (leastMs: number, mostMs: number): Trouble =>
  async ({ wire }, { clock, random, endMs }) => {
    wire.cut()
    await clock.wait(Math.min(random.integer(leastMs, mostMs), Math.max(0, endMs - clock.nowMs)))
    wire.mend()
  }

const troubleBy: Readonly<Record<Kind, Trouble>> = {
  cut: cutFor(500, 60_000),
  'away for long': cutFor(240_000, 900_000),
  async slow(edge, { clock, random, endMs }) {
    edge.hearBadly(random.integer(3_000, 30_000))
    const ms = random.integer(30_000, 180_000)
    await clock.wait(Math.min(ms, Math.max(0, endMs - clock.nowMs)))
    edge.hearBadly(0)
  },
  async restarted(edge, { clock, random }) {
    await edge.stop()
    await clock.wait(random.integer(200, 30_000))
    await edge.start()
  },
}

async function countAgreeing(
  edges: readonly SimulatedEdge[],
  origin: SimulatedOrigin,
): Promise<number> {
  const { seq } = origin.position
  const root = await origin.root()
  let agreeing = 0
  for (const edge of edges) if (edge.shownSeq === seq && (await edge.root()) === root) agreeing += 1
  return agreeing
}
