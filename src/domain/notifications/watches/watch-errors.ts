import { conditionOf, type Watch } from '../watch.ts'

/** Responses of the last minutes. */
export interface RecentResponses {
  readonly requests: number
  readonly status5xx: number
}

interface Dependencies {
  readonly recent: () => Promise<RecentResponses>
  /** From this share on somebody should know. */
  readonly warnPercent: number
}

/** A few failures among few requests say nothing. */
const minFailures = 10

/** The share of responses that say that the service failed (5xx). */
export function watchErrors({ recent, warnPercent }: Dependencies): Watch {
  return {
    kinds: ['errors'],
    async look() {
      const { requests, status5xx } = await recent()
      const percent = (status5xx / Math.max(1, requests)) * 100
      if (status5xx < minFailures || percent < warnPercent) return []
      return [
        conditionOf({
          kind: 'errors',
          severity: percent >= warnPercent * 5 ? 'critical' : 'warning',
          detail: `${Math.round(percent)} % of the responses of the last minutes were 5xx, ${warnPercent} % are allowed.`,
        }),
      ]
    },
  }
}
