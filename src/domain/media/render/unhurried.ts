import type { RenderJob } from '../../../ports/media/renderer.ts'
import type { Cost } from './costs/cost-model.ts'
import type { RenderLane } from './render-lane.ts'

/** Whether nobody waits, and somebody who came now would not have to. */
export const isCalm = ({ slots, waiting, running }: RenderLane): boolean =>
  waiting.size === 0 && (slots === 1 || running.size < slots)

/** Above so many pixels who waits for the result would notice. */
const maxPixels = 1_500_000
/** A photograph takes about so much longer to encode; what it really takes is learned. */
const factor = 2

interface Task<Job extends RenderJob> {
  readonly job: Job
  readonly cost: Cost
}

/** The same with the effort that there is time for while nobody waits, and judged by others of its kind. */
export function unhurried<Job extends RenderJob>({ job, cost }: Task<Job>): Task<Job> {
  if (job.kind !== 'transform' || job.output.effort !== 'fast' || job.isAnimated)
    return { job, cost }
  if (job.resize.width * job.resize.height > maxPixels) return { job, cost }
  const output = { ...job.output, effort: 'usual' as const }
  return {
    job: { ...job, output },
    cost: { kind: `${cost.kind}-usual`, cpuMs: cost.cpuMs * factor },
  }
}
