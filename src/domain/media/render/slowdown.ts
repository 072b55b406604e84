import type { Rendered } from '../../../ports/media/renderer.ts'

const slowdownLearningRate = 0.1
const maxSlowdown = 8

/** How much wall-clock time a millisecond of CPU time takes: others use the machine too. */
export function createSlowdown() {
  let factor = 1
  return {
    get factor() {
      return factor
    },
    learn({ cpuMs, wallMs }: Rendered<unknown>): void {
      if (cpuMs < 1) return
      const seen = Math.min(maxSlowdown, Math.max(1, wallMs / cpuMs))
      factor += slowdownLearningRate * (seen - factor)
    },
  }
}
