import { dayOf } from '../../domain/insights/period.ts'
import { keptLogDays, type LogStore } from '../../ports/traffic/log-store.ts'
import type { RequestLogStore } from '../../ports/traffic/request-log-store.ts'
import type { TrafficStore } from '../../ports/traffic/traffic-store.ts'
import type { World } from '../world.ts'
import type { Stores } from './stores.ts'

interface Kept {
  readonly traffic: TrafficStore
  readonly stores: Pick<Stores, 'audit' | 'publications'>
  readonly logs: LogStore
  readonly requests: Pick<RequestLogStore, 'forgetBefore'>
  readonly opening: AsyncDisposableStack
}

const everyMs = 3_600_000
/** After a start there is more urgent work. */
const firstAfterMs = 60_000
const keptAuditDays = 90
/** Edges that were away for longer, or for more entries, compare manifests. */
const keptFeedDays = 7
const keptEntries = 10_000
const dayMilliseconds = 86_400_000

/** Forgets what has been kept long enough, every hour. */
export function keepHouse({ config, now, log }: World, kept: Kept): void {
  const { traffic, stores, logs, requests, opening } = kept
  const { audit, publications } = stores
  async function tidy(): Promise<void> {
    const time = now()
    await traffic.tidy(dayOf(time))
    await audit.forgetBefore(daysBefore(time, keptAuditDays))
    await logs.forgetBefore(daysBefore(time, keptLogDays))
    await requests.forgetBefore(daysBefore(time, config.requestLogDays))
    const feedTime = daysBefore(time, keptFeedDays)
    while ((await publications.forgetFeedBefore(feedTime, keptEntries)) > 0);
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
