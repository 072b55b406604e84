import { dayOf } from '../../domain/insights/period.ts'
import type { AuditLog } from '../../ports/content/audit-log.ts'
import { keptLogDays, type LogStore } from '../../ports/traffic/log-store.ts'
import type { TrafficStore } from '../../ports/traffic/traffic-store.ts'
import type { World } from '../world.ts'

interface Kept {
  readonly traffic: TrafficStore
  readonly audit: AuditLog
  readonly logs: LogStore
  readonly opening: AsyncDisposableStack
}

const everyMs = 3_600_000
/** After a start there is more urgent work. */
const firstAfterMs = 60_000
const keptAuditDays = 90
const dayMilliseconds = 86_400_000

/** Forgets what has been kept long enough, every hour. */
export function keepHouse({ now, log }: World, { traffic, audit, logs, opening }: Kept): void {
  async function tidy(): Promise<void> {
    const time = now()
    await traffic.tidy(dayOf(time))
    await audit.forgetBefore(daysBefore(time, keptAuditDays))
    await logs.forgetBefore(daysBefore(time, keptLogDays))
  }
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = tidy().catch((error: unknown) =>
      log.warn('old records could not be removed', { error }),
    )
  }
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, everyMs)
  opening.defer(async () => {
    clearTimeout(first)
    clearInterval(timer)
    await running
  })
}

const daysBefore = (time: Date, days: number): Date =>
  new Date(time.getTime() - days * dayMilliseconds)
