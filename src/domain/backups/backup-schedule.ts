const hourMs = 3_600_000

export interface ScheduleFacts {
  /** 0: only when somebody orders one. */
  readonly everyHours: number
  readonly newestAt: Date | undefined
  /** When the last attempt came to nothing, where it did. */
  readonly failedAt: Date | undefined
  readonly now: Date
}

/** When the next backup is to be begun. One that failed is tried again after an hour, or sooner. */
export function nextBackupAt(facts: ScheduleFacts): Date | undefined {
  const { everyHours, newestAt, failedAt, now } = facts
  if (everyHours === 0) return undefined
  const due = newestAt === undefined ? now.getTime() : newestAt.getTime() + everyHours * hourMs
  const again = failedAt === undefined ? 0 : failedAt.getTime() + Math.min(1, everyHours) * hourMs
  return new Date(Math.max(due, again))
}

/** Whether somebody should look why there is none: half a term late, but an hour at least. */
export function isBackupOverdue(facts: ScheduleFacts): boolean {
  const { everyHours, newestAt, failedAt, now } = facts
  if (everyHours === 0) return false
  if (newestAt === undefined) return failedAt !== undefined
  const lateMs = now.getTime() - newestAt.getTime() - everyHours * hourMs
  return lateMs > Math.max(hourMs, (everyHours * hourMs) / 2)
}
