import { addHistograms } from '../../../lib/collections/duration-histogram.ts'
import { keepLargest } from '../../../lib/collections/greatest.ts'
import {
  type AudienceRow,
  type BeaconDay,
  type CountryTraffic,
  type DayTraffic,
  type ErrorTraffic,
  type HourTraffic,
  keptDays,
  keptDetailHourDays,
  keptHourDays,
  keptMinuteDays,
  keptPathDays,
  keptPathMinuteDays,
  maxBeaconRowsPerDay,
  maxErrorPathsPerDay,
  maxReferrersPerDay,
  type NamedTraffic,
  type NameKind,
  type NameReport,
  otherName,
  ownName,
  type PathDay,
  type PathStep,
  type PathStepScope,
  type PathTraffic,
  type SeriesPoint,
  type SeriesScope,
  type TrafficFlush,
  type TrafficPeriod,
  type TrafficRow,
  type TrafficScope,
  type TrafficStore,
  type ZoneDay,
} from '../../../ports/traffic/traffic-store.ts'

interface KeptRow extends TrafficRow {
  readonly day: number
  readonly hour: number
  readonly minute: number
}

interface KeptAudience extends AudienceRow {
  readonly day: number
  readonly hour: number
  readonly minute: number
}

interface Sum {
  requests: number
  bytes: number
  hits: number
}

/** A TrafficStore for tests and demos: keeps every row and adds them up when asked. */
export class MemoryTrafficStore implements TrafficStore {
  readonly #numberByProcess = new Map<string, number>()
  #rows: KeptRow[] = []
  #beacons: BeaconDay[] = []
  #audience: KeptAudience[] = []
  #today = 0

  async record(flush: TrafficFlush): Promise<boolean> {
    const { process, number, hour, rows, beacons, audience = [] } = flush
    if (number <= (this.#numberByProcess.get(process) ?? 0)) return false
    this.#numberByProcess.set(process, number)
    const day = Math.floor(hour / 24)
    const when = { day, hour, minute: hour * 60 + (flush.minute ?? 0) }
    this.#rows.push(...rows.map((row) => ({ ...row, ...when })))
    this.#audience.push(...audience.map((row) => ({ ...row, ...when })))
    for (const beacon of beacons) this.#addBeacon({ ...beacon, day })
    return true
  }

  async daily(scope: TrafficScope): Promise<readonly DayTraffic[]> {
    return sumBy(this.#in(scope), ({ day }) => day)
      .map(([day, sum]) => ({ day, ...sum }))
      .toSorted((a, b) => a.day - b.day)
  }

  async zoneDays(scope: TrafficScope): Promise<readonly ZoneDay[]> {
    const zones = new Set(this.#in(scope).flatMap(({ zone }) => (zone === '' ? [] : [zone])))
    const daysOf = async (zone: string) =>
      (await this.daily({ ...scope, zones: new Set([zone]) })).map((day) => ({ ...day, zone }))
    return (await Promise.all([...zones].toSorted().map(daysOf))).flat()
  }

  async hourly(scope: TrafficScope): Promise<readonly HourTraffic[]> {
    const firstHour = (this.#today - keptHourDays + 1) * 24
    return sumBy(this.#in(scope), ({ hour }) => hour)
      .map(([hour, sum]) => ({ hour, ...sum }))
      .filter(({ hour }) => hour >= firstHour)
      .toSorted((a, b) => a.hour - b.hour)
  }

  async series({ step, from, to, zones }: SeriesScope): Promise<readonly SeriesPoint[]> {
    const first = Math.max(from, firstKept(step, this.#today))
    const isIn = (row: KeptRow | KeptAudience) =>
      row[step] >= first && row[step] < to && (zones?.has(row.zone) ?? true)
    const audience = this.#audience.filter(isIn)
    const rows = Map.groupBy(this.#rows.filter(isIn), (row) => row[step])
    for (const row of audience) if (!rows.has(row[step])) rows.set(row[step], [])
    return [...rows]
      .map(([at, ofStep]) => {
        const latencies = audience.filter((row) => row[step] === at).map((row) => row.latencies)
        return { at, ...totalsOf(ofStep), latencies: addHistograms(latencies) }
      })
      .toSorted((a, b) => a.at - b.at)
  }

  async names(kind: NameKind, scope: TrafficScope, limit: number): Promise<NameReport> {
    const all = this.#namesIn(kind, scope)
    const told = [...Map.groupBy(all, ({ day }) => day).values()].map((ofDay) =>
      keepLargest(addNames(ofDay), maxReferrersPerDay, ({ requests }) => requests),
    )
    const names = addNames(told.flatMap(({ kept }) => kept))
      .filter(({ name }) => name !== otherName)
      .toSorted((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
    return {
      names,
      rest: {
        requests: sumOf(all, 'requests') - sumOf(names, 'requests'),
        bytes: sumOf(all, 'bytes') - sumOf(names, 'bytes'),
      },
    }
  }

  async countries(scope: TrafficScope): Promise<readonly CountryTraffic[]> {
    return sumBy(this.#in(scope), ({ country }) => country)
      .map(([country, { requests, bytes }]) => ({ country, requests, bytes }))
      .toSorted((a, b) => b.requests - a.requests || (a.country < b.country ? -1 : 1))
  }

  async topPaths(scope: TrafficScope, limit: number): Promise<readonly PathTraffic[]> {
    const firstSeen = [...new Set(this.#rows.map(({ path }) => path))]
    return sumBy(
      this.#in(scope).filter(({ isAsset, path }) => isAsset && path !== ''),
      ({ path }) => path,
    )
      .map(([path, { requests, bytes }]) => ({ path, requests, bytes }))
      .toSorted(
        (a, b) => b.requests - a.requests || firstSeen.indexOf(a.path) - firstSeen.indexOf(b.path),
      )
      .slice(0, limit)
  }

  async errors(scope: TrafficScope, pathsEach: number): Promise<readonly ErrorTraffic[]> {
    const rows = this.#in(scope).filter(({ status }) => status >= 400 && this.#isTold(scope))
    const toldPaths = this.#toldPaths(rows)
    return sumBy(rows, ({ status }) => status)
      .map(([status, { requests }]) => ({
        status,
        requests,
        paths: sumBy(
          rows.filter((row) => row.status === status && toldPaths.has(keyOf(row))),
          ({ path }) => path,
        )
          .map(([path, sum]) => ({ path, requests: sum.requests }))
          .toSorted((a, b) => b.requests - a.requests || (a.path < b.path ? -1 : 1))
          .slice(0, pathsEach),
      }))
      .toSorted((a, b) => b.requests - a.requests || a.status - b.status)
  }

  async path(path: string, period: TrafficPeriod): Promise<readonly PathDay[]> {
    const rows = this.#in({ ...period, zones: undefined }).filter((row) => row.path === path)
    return [...Map.groupBy(rows, ({ day }) => day)]
      .map(([day, ofDay]) => {
        const counted = ofDay.filter(({ isAsset, status }) => isAsset || status >= 400)
        const errors = ofDay.filter(({ status }) => status >= 400)
        const byStatus = sumBy(errors, ({ status }) => status)
        return {
          day,
          requests: counted.reduce((sum, { requests }) => sum + requests, 0),
          bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
          errors: new Map(byStatus.map(([status, { requests }]) => [status, requests])),
        }
      })
      .toSorted((a, b) => a.day - b.day)
  }

  async pathSteps(path: string, scope: PathStepScope): Promise<readonly PathStep[]> {
    const { step, from, to } = scope
    const keptAfter = this.#today - (step === 'hour' ? keptDetailHourDays : keptPathMinuteDays)
    const rows = this.#rows.filter(
      (row) => row.path === path && row[step] >= from && row[step] < to && row.day > keptAfter,
    )
    return [...Map.groupBy(rows, (row) => row[step])]
      .map(([at, ofStep]) => {
        const isCounted = (row: KeptRow) => row.isAsset || (step === 'hour' && row.status >= 400)
        const [sum = { requests: 0, bytes: 0 }] = addNames(
          ofStep.filter(isCounted).map((row) => ({ ...row, name: path })),
        )
        const errors = ofStep.filter(({ status }) => status >= 400)
        return {
          at,
          requests: sum.requests,
          bytes: sum.bytes,
          ...(step === 'hour' && { errors: errors.reduce((all, row) => all + row.requests, 0) }),
        }
      })
      .toSorted((a, b) => a.at - b.at)
  }

  async beacons({ fromDay, toDay }: TrafficPeriod): Promise<readonly BeaconDay[]> {
    return this.#beacons
      .filter(({ day }) => day >= fromDay && day <= toDay)
      .toSorted((a, b) => a.day - b.day || b.requests - a.requests || (a.path < b.path ? -1 : 1))
  }

  async tidy(today: number): Promise<void> {
    this.#today = today
    this.#rows = this.#rows.filter(({ day }) => day > today - keptDays)
    this.#beacons = this.#beacons.filter(({ day }) => day > today - keptPathDays)
  }

  #in(scope: TrafficScope): readonly KeptRow[] {
    return this.#rows.filter((row) => this.#isIn(scope, row))
  }

  #isIn(scope: TrafficScope, { day, hour, zone }: KeptRow | KeptAudience): boolean {
    const { fromDay, toDay, hours = [], zones } = scope
    if (zones?.has(zone) === false) return false
    const isHourKept = day > this.#today - keptDetailHourDays
    const isInHours = hours.some(({ fromHour, toHour }) => hour >= fromHour && hour < toHour)
    return (day >= fromDay && day <= toDay) || (isHourKept && isInHours)
  }

  #namesIn(kind: NameKind, scope: TrafficScope): readonly (NamedTraffic & { day: number })[] {
    if (kind === 'status')
      return this.#in(scope).map(({ status, day, requests, bytes }) => {
        return { name: String(status), day, requests, bytes }
      })
    return this.#audience
      .filter((row) => this.#isIn(scope, row))
      .flatMap((row) => namesOf(kind, row).map((each) => ({ ...each, day: row.day })))
  }

  #isTold({ toDay }: TrafficScope): boolean {
    return toDay > this.#today - keptPathDays
  }

  #toldPaths(rows: readonly KeptRow[]): ReadonlySet<string> {
    const told = rows.filter(({ path }) => path !== '')
    return new Set(
      [...Map.groupBy(told, ({ day }) => day).values()].flatMap((ofDay) =>
        keepLargest(
          sumBy(ofDay, keyOf),
          maxErrorPathsPerDay,
          ([, { requests }]) => requests,
        ).kept.map(([key]) => key),
      ),
    )
  }

  #addBeacon(added: BeaconDay): void {
    const ofDay = this.#beacons.filter(({ day }) => day === added.day)
    const hasRoom =
      ofDay.length < maxBeaconRowsPerDay || ofDay.some((beacon) => isSame(beacon, added))
    const row = hasRoom ? added : { ...added, path: '', country: 'XX' }
    const known = ofDay.find((beacon) => isSame(beacon, row))
    const { requests = 0, bytes = 0 } = known ?? {}
    const sum = { ...row, requests: row.requests + requests, bytes: row.bytes + bytes }
    this.#beacons = [...this.#beacons.filter((beacon) => beacon !== known), sum]
  }
}

function namesOf(kind: NameKind, row: AudienceRow): readonly NamedTraffic[] {
  if (kind === 'agent') return row.agents
  if (kind === 'referrer') return row.referrers
  const { ownRequests: requests = 0 } = row
  return requests === 0 ? [] : [{ name: ownName, requests, bytes: 0 }]
}

const sumOf = (rows: readonly NamedTraffic[], of: 'requests' | 'bytes'): number =>
  rows.reduce((sum, row) => sum + row[of], 0)

const firstKept = (step: SeriesScope['step'], today: number): number => {
  if (step === 'minute') return (today - keptMinuteDays + 1) * 24 * 60
  return step === 'hour' ? (today - keptHourDays + 1) * 24 : today - keptDays + 1
}

function addNames(rows: readonly NamedTraffic[]): readonly NamedTraffic[] {
  const sums = new Map<string, { name: string; requests: number; bytes: number }>()
  for (const { name, requests, bytes } of rows) {
    const sum = sums.get(name) ?? { name, requests: 0, bytes: 0 }
    sum.requests += requests
    sum.bytes += bytes
    sums.set(name, sum)
  }
  return [...sums.values()]
}

function totalsOf(rows: readonly KeptRow[]): Omit<SeriesPoint, 'at' | 'latencies'> {
  const sum = (isCounted: (row: KeptRow) => boolean) =>
    rows.filter(isCounted).reduce((total, { requests }) => total + requests, 0)
  return {
    requests: sum(() => true),
    bytes: rows.reduce((total, { bytes }) => total + bytes, 0),
    hits: sum(({ isHit }) => isHit),
    status2xx: sum(({ status }) => status < 300),
    status3xx: sum(({ status }) => status >= 300 && status < 400),
    status4xx: sum(({ status }) => status >= 400 && status < 500),
    status5xx: sum(({ status }) => status >= 500),
    transforms: sum(({ isTransform }) => isTransform === true),
    transformsMade: sum(({ isTransform, isHit }) => isTransform === true && !isHit),
  }
}

const isSame = (a: BeaconDay, b: BeaconDay): boolean =>
  a.path === b.path && a.country === b.country && a.isHit === b.isHit

const keyOf = ({ status, path }: KeptRow): string => `${status}\n${path}`

function sumBy<Key>(
  rows: readonly KeptRow[],
  keyBy: (row: KeptRow) => Key,
): readonly (readonly [Key, Sum])[] {
  const sums = new Map<Key, Sum>()
  for (const row of rows) {
    const sum = sums.get(keyBy(row)) ?? { requests: 0, bytes: 0, hits: 0 }
    sum.requests += row.requests
    sum.bytes += row.bytes
    sum.hits += row.isHit ? row.requests : 0
    sums.set(keyBy(row), sum)
  }
  return [...sums]
}
