/** A job that waits for its turn. */
export interface Waiting {
  readonly zone: string
  readonly predictedMs: number
  readonly queuedAt: number
  readonly isBackground: boolean
  /** Called once, when its turn has come, with what to call when it is over. */
  readonly start: (leave: () => void) => void
}

export interface Running {
  readonly predictedMs: number
  readonly startedAt: number
  readonly isBackground: boolean
}

/** The jobs of one lane, waiting and running. */
export interface RenderLane {
  readonly slots: number
  /** Further ones, for what is short alone: nobody waits for a moment's work behind what takes long. */
  readonly shortSlots: number
  readonly waiting: Set<Waiting>
  readonly background: Set<Waiting>
  readonly running: Set<Running>
}

export const createRenderLane = (slots: number, shortSlots = 0): RenderLane => ({
  slots,
  shortSlots,
  waiting: new Set(),
  background: new Set(),
  running: new Set(),
})

/** How urgent a job is; less is more urgent. */
export type Urgency = (waiting: Waiting) => number

/** Who goes next, or `undefined` where nobody may go now. */
export function nextOf(lane: RenderLane, urgencyOf: Urgency): Waiting | undefined {
  if (lane.waiting.size === 0) return nextInBackground(lane)
  if (hasRoom(lane)) return mostUrgent(lane.waiting, urgencyOf)
  return hasRoom(lane, shortMs) ? mostUrgent(shortOnes(lane.waiting), urgencyOf) : undefined
}

/** What takes no longer is short. */
const shortMs = 100

const isShort = ({ predictedMs }: Pick<Waiting, 'predictedMs'>): boolean => predictedMs <= shortMs

const shortOnes = <Job extends Pick<Waiting, 'predictedMs'>>(
  jobs: ReadonlySet<Job>,
): readonly Job[] => [...jobs].filter(isShort)

/**
 * Whether a job that somebody waits for may begin now, of any length or of a predicted one. Background work
 * leaves a slot free where there are several; where there is one, the two share the core, so that nobody waits
 * behind it.
 */
export function hasRoom(
  { slots, shortSlots, running }: RenderLane,
  predictedMs: number = Infinity,
): boolean {
  const busy = slots === 1 ? running.size - backgroundCount(running) : running.size
  return busy < slots + (isShort({ predictedMs }) ? shortSlots : 0)
}

interface Newcomer {
  readonly urgency: number
  readonly predictedMs: number
}

interface LaneClock {
  readonly urgencyOf: Urgency
  readonly remainingMs: (running: Running) => number
}

/**
 * CPU time, for each slot, of everything that a job of this urgency would have to wait for. Background work is
 * not part of it: nobody is turned away for what nobody waits for. What is short waits for what is short alone.
 */
export function workAheadMs(lane: RenderLane, newcomer: Newcomer, clock: LaneClock): number {
  const { slots, shortSlots, waiting, running } = lane
  const aheadMs = (jobs: Iterable<Waiting>, begun: Iterable<Running>): number => {
    let sumMs = 0
    for (const each of jobs)
      if (clock.urgencyOf(each) <= newcomer.urgency) sumMs += each.predictedMs
    for (const each of begun) if (!each.isBackground) sumMs += clock.remainingMs(each)
    return sumMs
  }
  const anyMs = aheadMs(waiting, running) / slots
  if (shortSlots === 0 || !isShort(newcomer)) return anyMs
  return Math.min(anyMs, aheadMs(shortOnes(waiting), shortOnes(running)) / shortSlots)
}

function mostUrgent(waiting: Iterable<Waiting>, urgencyOf: Urgency): Waiting | undefined {
  let best: Waiting | undefined
  for (const each of waiting) if (!best || urgencyOf(each) < urgencyOf(best)) best = each
  return best
}

/** One slot stays free of it where there are several, so that nobody has to wait behind it. */
function nextInBackground({ slots, background, running }: RenderLane): Waiting | undefined {
  if (running.size >= slots || backgroundCount(running) >= Math.max(1, slots - 1)) return undefined
  const [first] = background
  return first
}

function backgroundCount(running: ReadonlySet<Running>): number {
  let count = 0
  for (const { isBackground } of running) if (isBackground) count += 1
  return count
}
