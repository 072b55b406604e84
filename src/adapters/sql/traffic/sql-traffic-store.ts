import type {
  BeaconDay,
  CountryTraffic,
  DayTraffic,
  ErrorTraffic,
  HourTraffic,
  NameKind,
  NameReport,
  PathDay,
  PathStep,
  PathStepScope,
  PathTraffic,
  SeriesPoint,
  SeriesScope,
  TrafficFlush,
  TrafficPeriod,
  TrafficScope,
  TrafficStore,
  ZoneDay,
} from '../../../ports/traffic/traffic-store.ts'
import {
  keptDays,
  keptDetailHourDays,
  keptHourDays,
  keptMinuteDays,
  keptPathDays,
} from '../../../ports/traffic/traffic-store.ts'
import type { Database } from '../database.ts'
import { closeSpans } from './paths/close-spans.ts'
import { forgetPathSteps } from './paths/path-steps.ts'
import { forgetUsage } from '../usage/usage-rows.ts'
import { readNames, readSeries } from './series-reader.ts'
import { readPath, readPathStepsOf, readTopPaths } from './paths/path-reader.ts'
import { readCountries, readDays, readErrors, readHours, readZoneDays } from './traffic-reader.ts'
import { TrafficWriter } from './traffic-writer.ts'

/** Traffic in tables of sums. */
export class SqlTrafficStore implements TrafficStore {
  readonly #database: Database
  readonly #writer: TrafficWriter

  constructor(database: Database) {
    this.#database = database
    this.#writer = new TrafficWriter(database.queries)
  }

  async record(flush: TrafficFlush): Promise<boolean> {
    try {
      return await this.#database.transaction((transaction) =>
        this.#writer.write(transaction, flush),
      )
    } catch (error) {
      this.#writer.undone()
      throw error
    }
  }

  async daily(scope: TrafficScope): Promise<readonly DayTraffic[]> {
    return await readDays(this.#database.queries, scope)
  }

  async zoneDays(scope: TrafficScope): Promise<readonly ZoneDay[]> {
    return await readZoneDays(this.#database.queries, scope)
  }

  async hourly(scope: TrafficScope): Promise<readonly HourTraffic[]> {
    return await readHours(this.#database.queries, scope)
  }

  async series(scope: SeriesScope): Promise<readonly SeriesPoint[]> {
    return await readSeries(this.#database.queries, scope)
  }

  async names(kind: NameKind, scope: TrafficScope, limit: number): Promise<NameReport> {
    return await readNames(this.#database.queries, { kind, scope, limit })
  }

  async countries(scope: TrafficScope): Promise<readonly CountryTraffic[]> {
    return await readCountries(this.#database.queries, scope)
  }

  async topPaths(scope: TrafficScope, limit: number): Promise<readonly PathTraffic[]> {
    return await readTopPaths(this.#database.queries, scope, limit)
  }

  async errors(scope: TrafficScope, pathsEach: number): Promise<readonly ErrorTraffic[]> {
    return await readErrors(this.#database.queries, scope, pathsEach)
  }

  async path(path: string, period: TrafficPeriod): Promise<readonly PathDay[]> {
    return await readPath(this.#database.queries, path, period)
  }

  async pathSteps(path: string, scope: PathStepScope): Promise<readonly PathStep[]> {
    return await readPathStepsOf(this.#database.queries, path, scope)
  }

  async beacons({ fromDay, toDay }: TrafficPeriod): Promise<readonly BeaconDay[]> {
    const rows = await this.#database.queries
      .selectFrom('traffic_beacons')
      .selectAll()
      .where('day', '>=', fromDay)
      .where('day', '<=', toDay)
      .orderBy('day')
      .orderBy('requests', 'desc')
      .orderBy('path')
      .execute()
    return rows.map(({ hit, ...row }) => ({ ...row, isHit: hit === 1 }))
  }

  async tidy(today: number): Promise<void> {
    await this.#forget(today)
    await closeSpans(this.#database, { fromDay: today - keptPathDays + 1, toDay: today - 1 })
  }

  async #forget(today: number): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const firstHour = (today - keptHourDays + 1) * 24
      await transaction.deleteFrom('traffic_hours').where('hour', '<', firstHour).execute()
      const firstMinute = (today - keptMinuteDays + 1) * 24 * 60
      await transaction.deleteFrom('traffic_minutes').where('minute', '<', firstMinute).execute()
      const firstDetail = (today - keptDetailHourDays + 1) * 24
      for (const table of ['traffic_hour_names', 'traffic_hour_errors'] as const)
        await transaction.deleteFrom(table).where('hour', '<', firstDetail).execute()
      await forgetPathSteps(transaction, today)
      await forgetUsage(transaction, today)
      for (const [table, days] of keptDaysByTable) {
        const last = today - days
        await transaction.deleteFrom(table).where('day', '<=', last).execute()
      }
      // Longer spans only make reports faster, and no report goes back further.
      await transaction
        .deleteFrom('traffic_path_blocks')
        .where('span_days', '>', 1)
        .where('day', '<=', today - keptPathDays)
        .execute()
    })
  }
}

const keptDaysByTable = [
  ['traffic_days', keptDays],
  ['traffic_countries', keptDays],
  ['traffic_path_blocks', keptDays],
  ['traffic_spans', keptPathDays],
  ['traffic_day_tops', keptPathDays],
  ['traffic_flushes', keptMinuteDays],
  ['traffic_names', keptPathDays],
  ['traffic_errors', keptPathDays],
  ['traffic_beacons', keptPathDays],
] as const
