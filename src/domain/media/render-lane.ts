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
  if (lane.running.size >= lane.slots) return undefined
  return mostUrgent(lane.waiting, urgencyOf) ?? nextInBackground(lane)
}

/** CPU time of everything that a job of this urgency would have to wait for. */
export function workAheadMs(
  lane: RenderLane,
  urgency: number,
  clock: { readonly urgencyOf: Urgency; readonly remainingMs: (running: Running) => number },
): number {
  let aheadMs = 0
  for (const each of lane.waiting) if (clock.urgencyOf(each) <= urgency) aheadMs += each.predictedMs
  for (const each of lane.running) aheadMs += clock.remainingMs(each)
  return aheadMs
}

function mostUrgent(waiting: ReadonlySet<Waiting>, urgencyOf: Urgency): Waiting | undefined {
  let best: Waiting | undefined
  for (const each of waiting) if (!best || urgencyOf(each) < urgencyOf(best)) best = each
  return best
}

/** One slot stays free of it where there are several, so that nobody has to wait behind it. */
function nextInBackground({ slots, background, running }: RenderLane): Waiting | undefined {
  let busy = 0
  for (const each of running) if (each.isBackground) busy += 1
  if (busy >= Math.max(1, slots - 1)) return undefined
  const [first] = background
  return first
}
