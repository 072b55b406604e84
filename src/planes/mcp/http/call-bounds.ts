import { createMemoryRateWindows } from '../../../http/access/rate-limits.ts'
import { limitReached } from '../../../http/response/rate-limit-fields.ts'

/** How many calls each credential makes in a minute, from wherever. */
export interface CallBounds {
  /** Throws `limit_reached` where they are used up. */
  charge(credentialId: string): void
}

const windowSeconds = 60

export function createCallBounds(quota: number, now: () => Date): CallBounds {
  const windows = createMemoryRateWindows(10_000)
  return {
    charge(credentialId) {
      const at = now()
      const endsAt = new Date(at.getTime() + windowSeconds * 1000)
      const use = windows.charge({ key: credentialId, quota, cost: 1, now: at, endsAt })
      if (use.isGranted) return
      const resetSeconds = Math.max(1, Math.ceil((use.endsAt.getTime() - at.getTime()) / 1000))
      throw limitReached({ name: 'agents', quota, windowSeconds, remaining: 0, resetSeconds })
    },
  }
}
