import {
  type Lane,
  laneOf,
  type RenderBounds,
  type Rendered,
  type Renderer,
  type RenderJob,
  type ResultByKind,
} from '../../../ports/media/renderer.ts'
import type { StillJob, StillMaker, StillOutcome } from '../../../ports/media/still-maker.ts'
import { ServiceError } from '../../errors.ts'
import { type Cost, type CostModel, createSlowdown, learnWith } from './costs/cost-model.ts'
import {
  createRenderLane,
  hasRoom,
  nextOf,
  type RenderLane,
  type Running,
  type Urgency,
  type Waiting,
  workAheadMs,
} from './render-lane.ts'
import { isCalm, unhurried } from './unhurried.ts'
import { createZoneClock } from './zone-clock.ts'

export interface Work<Job extends RenderJob | StillJob> {
  readonly job: Job
  readonly zone: string
  readonly cost: Cost
  /** `background` work runs only while nobody waits. */
  readonly priority: 'interactive' | 'background'
  readonly signal?: AbortSignal | undefined
}

/** What stands before the renderer: who is next, and who is turned away. */
export interface RenderQueue {
  /**
   * Does a job when its turn comes. A free slot always admits; else it rejects with `Unavailable` at once
   * where the wait for what others wait for would be too long, and with the signal's reason where that aborts before the job has begun.
   * What somebody waits for is over, the wait in line counted, in that time and what the renderer has for a job
   * of its lane: else it rejects with `Unavailable`, in terms of the renderer where it has begun.
   */
  run<Job extends RenderJob>(work: Work<Job>): Promise<Rendered<ResultByKind[Job['kind']]>>
  /** The same with a still, of which one is made at a time. */
  make(work: Work<StillJob>, maker: StillMaker): Promise<Rendered<StillOutcome>>
  /** Throws where {@link run} would turn such work away now. */
  refuseIfBusy(work: Pick<Work<RenderJob>, 'job' | 'zone' | 'cost'>): void
  readonly state: RenderQueueState
}

export interface RenderQueueState {
  readonly running: number
  readonly queued: number
  readonly queuedInBackground: number
  /** CPU time that is predicted for everything interactive that has not begun. */
  readonly queuedMs: number
}

interface Dependencies {
  readonly renderer: Renderer
  readonly costs: CostModel
  /** Milliseconds that only grow. */
  readonly now: () => number
  readonly maxWaitMs?: number
  /** Calls it once, after so many milliseconds; what it answers keeps it from that. */
  readonly later?: Later
}

export type Later = (ms: number, act: () => void) => () => void

const byTheClock: Later = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

const defaultMaxWaitMs = 2000
/** A still is made once for all that is ever made from it, so it may be waited for longer. */
const stillPatience = 5
const maxQueuedInBackground = 10_000
/** How much cheaper a job looks for every millisecond that it has waited: none waits for ever. */
const ageing = 2

/** The shortest job of the zone that has had least is next; what waits grows more urgent. */
export function createRenderQueue(dependencies: Dependencies): RenderQueue {
  const { renderer, costs, now, maxWaitMs = defaultMaxWaitMs, later = byTheClock } = dependencies
  const laneByName = { ...lanesOf(renderer), still: createRenderLane(1) }
  const zones = createZoneClock()
  const slowdown = createSlowdown()
  const predict = predictWith(dependencies)
  const learnFrom = learnWith(costs, slowdown)
  const placeOf = (work: Pick<Work<RenderJob>, 'job' | 'cost'>) => ({
    lane: laneByName[laneOf(work.job)],
    predictedMs: predict(work),
    // Who waited no longer than they were let in for has all the time that their lane allows.
    withinMs: maxWaitMs + renderer.maxMsByLane[laneOf(work.job)],
  })

  const admission = createAdmission({
    now,
    zones,
    slowdown,
    patienceOf: (lane) => maxWaitMs * (lane === laneByName.still ? stillPatience : 1),
  })

  const startNext = createStarter({ now, zones, urgencyOf: admission.urgencyOf })

  /** Does the work when its turn comes. */
  async function inTurn<T>(work: Admitted, does: (bounds: RenderBounds) => Promise<Rendered<T>>) {
    work.signal?.throwIfAborted()
    admission.admit(work)
    const onQueued = () => startNext(work.lane)
    const queuedAt = now()
    const withinMs = work.priority === 'interactive' ? work.withinMs : undefined
    using _slot = await waitInLine(work.lane, { ...work, withinMs, later, queuedAt, onQueued })
    return await does({ withinMs: withinMs && withinMs - (now() - queuedAt) })
  }

  return {
    run(work) {
      const place = placeOf(work)
      return inTurn({ ...work, ...place }, (bounds) => {
        const { job, cost } = isCalm(place.lane) ? unhurried(work) : work
        return learnFrom(cost, renderer.run(job, bounds))
      })
    },
    make(work, maker) {
      const predictedMs = Math.min(costs.predict(work.cost), maker.maxMs)
      const place = { lane: laneByName.still, predictedMs }
      return inTurn({ ...work, ...place }, () => learnFrom(work.cost, maker.make(work.job)))
    },
    refuseIfBusy(work) {
      admission.admit({ ...work, ...placeOf(work), priority: 'interactive' })
    },
    get state() {
      return stateOf(Object.values(laneByName))
    },
  }
}

interface Starting extends Pick<Dependencies, 'now'> {
  readonly zones: Pick<ReturnType<typeof createZoneClock>, 'charge'>
  readonly urgencyOf: Urgency
}

/** Lets begin whoever may. */
const createStarter = ({ now, zones, urgencyOf }: Starting) =>
  function startNext(lane: RenderLane): void {
    for (let next = nextOf(lane, urgencyOf); next; next = nextOf(lane, urgencyOf)) {
      lane.waiting.delete(next)
      lane.background.delete(next)
      const { predictedMs, isBackground } = next
      if (!isBackground) zones.charge(next.zone, predictedMs)
      const place = { predictedMs, isBackground, startedAt: now() }
      lane.running.add(place)
      next.start(() => {
        lane.running.delete(place)
        startNext(lane)
      })
    }
  }

interface Asked extends Pick<Work<RenderJob>, 'zone' | 'priority'> {
  readonly lane: RenderLane
  readonly predictedMs: number
}

type Admitted = Asked &
  Pick<Work<RenderJob>, 'signal' | 'cost'> & {
    /** For the wait in line and the work together; for ever where it is left out. */
    readonly withinMs?: number
  }

interface Admitting extends Pick<Dependencies, 'now'> {
  readonly zones: Pick<ReturnType<typeof createZoneClock>, 'startOf'>
  readonly slowdown: { readonly factor: number }
  /** How many milliseconds of the clock somebody may have to wait. */
  readonly patienceOf: (lane: RenderLane) => number
}

/** Who is turned away, and who goes before whom. */
function createAdmission({ now, zones, slowdown, patienceOf }: Admitting) {
  const urgencyOf: Urgency = ({ zone, predictedMs, queuedAt }) =>
    zones.startOf(zone) + predictedMs - ageing * (now() - queuedAt)
  const remainingMs = ({ predictedMs, startedAt }: Running) =>
    Math.max(0, predictedMs - (now() - startedAt) / slowdown.factor)

  function isTooBusy({ lane, zone, predictedMs }: Asked): boolean {
    if (hasRoom(lane, predictedMs)) return false
    const urgency = zones.startOf(zone) + predictedMs
    const aheadMs = workAheadMs(lane, { urgency, predictedMs }, { urgencyOf, remainingMs })
    return aheadMs * slowdown.factor > patienceOf(lane)
  }

  return {
    urgencyOf,
    admit(asked: Asked): void {
      const isBackground = asked.priority === 'background'
      if (isBackground ? isCrowded(asked.lane) : isTooBusy(asked)) throw tooBusy()
    },
  }
}

/** No job takes longer than the renderer allows, whatever a file says of itself. */
const predictWith =
  ({ costs, renderer }: Dependencies) =>
  ({ job, cost }: Pick<Work<RenderJob>, 'job' | 'cost'>): number =>
    Math.min(costs.predict(cost), renderer.maxMsByLane[laneOf(job)])

const isCrowded = ({ background }: RenderLane): boolean => background.size >= maxQueuedInBackground

const lanesOf = ({ slotsByLane }: Renderer): Readonly<Record<Lane, RenderLane>> => ({
  raster: createRenderLane(slotsByLane.raster, 1),
  vector: createRenderLane(slotsByLane.vector),
})

interface Turn extends Pick<Work<RenderJob>, 'zone' | 'priority' | 'signal'> {
  readonly predictedMs: number
  readonly queuedAt: number
  readonly withinMs: number | undefined
  readonly later: Later
  readonly onQueued: () => void
}

/** Resolves with what gives the slot back, once it is the job's turn. */
async function waitInLine(lane: RenderLane, turn: Turn): Promise<Disposable> {
  const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
  const { zone, predictedMs, queuedAt } = turn
  const isBackground = turn.priority === 'background'
  const line = isBackground ? lane.background : lane.waiting
  const waiting: Waiting = {
    zone,
    predictedMs,
    queuedAt,
    isBackground,
    start: (leave) => resolve({ [Symbol.dispose]: leave }),
  }
  line.add(waiting)
  using _leaving = onAbort(turn.signal, (reason) => {
    if (line.delete(waiting)) reject(reason)
  })
  turn.onQueued()
  if (!line.has(waiting)) return await promise
  const cancel =
    turn.withinMs &&
    turn.later(longestWaitMs(turn.withinMs, predictedMs), () => {
      if (line.delete(waiting)) reject(tooBusy())
    })
  try {
    return await promise
  } finally {
    if (cancel) cancel()
  }
}

/** Until there would not be the time any more that the job will probably take; half of all at least. */
const longestWaitMs = (withinMs: number, predictedMs: number): number =>
  Math.max(withinMs / 2, withinMs - predictedMs)

function stateOf(lanes: readonly RenderLane[]): RenderQueueState {
  const count = (size: (lane: RenderLane) => number) =>
    lanes.reduce((sum, lane) => sum + size(lane), 0)
  return {
    running: count(({ running }) => running.size),
    queued: count(({ waiting }) => waiting.size),
    queuedInBackground: count(({ background }) => background.size),
    queuedMs: count(({ waiting }) =>
      waiting.values().reduce((sum, each) => sum + each.predictedMs, 0),
    ),
  }
}

const tooBusy = () =>
  new ServiceError('Unavailable', 'Too many images are being made; try again in a few seconds', {
    isOverload: true,
  })

function onAbort(signal: AbortSignal | undefined, act: (reason: Error) => void): Disposable {
  const listener = () => act(signal?.reason as Error)
  signal?.addEventListener('abort', listener, { once: true })
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', listener) }
}
