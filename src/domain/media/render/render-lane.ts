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
  readonly waiting: Set<Waiting>
  readonly background: Set<Waiting>
  readonly running: Set<Running>
}

export const createRenderLane = (slots: number): RenderLane => ({
  slots,
  waiting: new Set(),
  background: new Set(),
  running: new Set(),
})

/** How urgent a job is; less is more urgent. */
export type Urgency = (waiting: Waiting) => number

/** Who goes next, or `undefined` where nobody may go now. */
export function nextOf(lane: RenderLane, urgencyOf: Urgency): Waiting | undefined {
  if (lane.waiting.size === 0) return nextInBackground(lane)
  return hasRoom(lane) ? mostUrgent(lane.waiting, urgencyOf) : undefined
}

/**
 * Whether a job that somebody waits for may begin now. Background work leaves a slot free where there are
 * several; where there is one, the two share the core, so that nobody waits behind it.
 */
export function hasRoom({ slots, running }: RenderLane): boolean {
  const busy = slots === 1 ? running.size - backgroundCount(running) : running.size
  return busy < slots
}

/**
 * CPU time of everything that a job of this urgency would have to wait for. Background work is not part
 * of it: nobody is turned away for what nobody waits for.
 */
export function workAheadMs(
  lane: RenderLane,
  urgency: number,
  clock: { readonly urgencyOf: Urgency; readonly remainingMs: (running: Running) => number },
): number {
  let aheadMs = 0
  for (const each of lane.waiting) if (clock.urgencyOf(each) <= urgency) aheadMs += each.predictedMs
  for (const each of lane.running) if (!each.isBackground) aheadMs += clock.remainingMs(each)
  return aheadMs
}

function mostUrgent(waiting: ReadonlySet<Waiting>, urgencyOf: Urgency): Waiting | undefined {
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
