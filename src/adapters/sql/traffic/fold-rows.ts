import {
  addHistograms,
  type DurationHistogram,
} from '../../../lib/collections/duration-histogram.ts'
import {
  type AudienceRow,
  type BeaconRow,
  ownName,
  type TrafficFlush,
  type TrafficRow,
} from '../../../ports/traffic/traffic-store.ts'
import type {
  TrafficBeaconTable,
  TrafficCountryTable,
  TrafficErrorTable,
  TrafficHourNameTable,
  TrafficNameTable,
  TrafficTotals,
} from './traffic-schema.ts'

/** In place of a zone: all of them together. No zone can be called so. */
export const everyZone = '*'

export interface FoldedFlush {
  readonly day: number
  readonly hour: number
  /** Since 1970. */
  readonly minute: number
  readonly totals: readonly ZoneTotals[]
  readonly countries: readonly TrafficCountryTable[]
  readonly errors: readonly TrafficErrorTable[]
  readonly beacons: readonly TrafficBeaconTable[]
  readonly names: readonly TrafficNameTable[]
  /** Of assets alone; `''` for those that were not told apart. */
  readonly pathsByZone: ReadonlyMap<string, ReadonlyMap<string, Sums>>
}

export interface Sums {
  requests: number
  bytes: number
}

/** All of a zone in a flush. */
export interface ZoneTotals extends TrafficTotals {
  readonly zone: string
  readonly latencies: DurationHistogram
}

/** What the rows of a flush come to, table by table. No key occurs twice. */
export function foldRows(flush: TrafficFlush): FoldedFlush {
  const { hour, minute = 0, rows, beacons, audience = [] } = flush
  const day = Math.floor(hour / 24)
  return {
    day,
    hour,
    minute: hour * 60 + minute,
    totals: withLatencies(withEveryZone(totalsOf(rows, audience), zoneOf), audience),
    countries: withEveryZone(countriesOf(rows, day), ({ zone, country }) => `${zone}\n${country}`),
    errors: withEveryZone(errorsOf(rows, day), errorKey),
    beacons: beaconsOf(beacons, day),
    names: withEveryZone(namesOf(rows, audience, day), nameKey),
    pathsByZone: pathsByZone(rows),
  }
}

const zoneOf = ({ zone }: { readonly zone: string }): string => zone

const nothing: TrafficTotals = {
  requests: 0,
  bytes: 0,
  hits: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
  transforms: 0,
  transforms_made: 0,
}

/** Also of zones of which there is nothing but who asked. */
const totalsOf = (rows: readonly TrafficRow[], audience: readonly AudienceRow[]) =>
  summed(
    [
      ...rows.map(({ zone, requests, bytes, isHit, status, isTransform }) => ({
        ...nothing,
        zone,
        requests,
        bytes,
        ...(isHit && { hits: requests }),
        ...classOf(status, requests),
        ...(isTransform && { transforms: requests, transforms_made: isHit ? 0 : requests }),
      })),
      ...audience.map(({ zone }) => ({ ...nothing, zone })),
    ],
    zoneOf,
  )

function classOf(status: number, requests: number): Partial<TrafficTotals> {
  if (status < 300) return { status_2xx: requests }
  if (status < 400) return { status_3xx: requests }
  return status < 500 ? { status_4xx: requests } : { status_5xx: requests }
}

function withLatencies(
  totals: readonly (TrafficTotals & { readonly zone: string })[],
  audience: readonly AudienceRow[],
): readonly ZoneTotals[] {
  const byZone = new Map(audience.map(({ zone, latencies }) => [zone, latencies]))
  const ofAll = addHistograms(byZone.values())
  return totals.map((each) => ({
    ...each,
    latencies: each.zone === everyZone ? ofAll : new Map(byZone.get(each.zone)),
  }))
}

const namesOf = (
  rows: readonly TrafficRow[],
  audience: readonly AudienceRow[],
  day: number,
): TrafficNameTable[] => [
  ...audience.flatMap(({ zone, referrers, agents, ownRequests: requests = 0 }) => [
    ...referrers.map((each) => ({ ...each, kind: 'referrer' as const, zone, day })),
    ...agents.map((each) => ({ ...each, kind: 'agent' as const, zone, day })),
    ...(requests > 0
      ? [{ kind: 'own' as const, zone, day, name: ownName, requests, bytes: 0 }]
      : []),
  ]),
  ...summed(
    rows.map(({ zone, status, requests, bytes }) => {
      return { kind: 'status' as const, zone, day, name: String(status), requests, bytes }
    }),
    nameKey,
  ),
]

export const nameKey = ({
  kind,
  zone,
  name,
}: Pick<TrafficHourNameTable, 'kind' | 'zone' | 'name'>): string => `${kind}\n${zone}\n${name}`

const countriesOf = (rows: readonly TrafficRow[], day: number): TrafficCountryTable[] =>
  summed(
    rows.map(({ zone, country, requests, bytes }) => ({ zone, day, country, requests, bytes })),
    ({ zone, country }) => `${zone}\n${country}`,
  )

const errorsOf = (rows: readonly TrafficRow[], day: number): TrafficErrorTable[] =>
  summed(
    rows
      .filter(({ status }) => status >= 400)
      .map(({ zone, status, path, isAsset, requests, bytes }) => {
        const asset = Number(isAsset)
        return { zone, day, status, path, asset, requests, bytes }
      }),
    errorKey,
  )

export const errorKey = ({
  zone,
  status,
  asset,
  path,
}: Pick<TrafficErrorTable, 'zone' | 'status' | 'asset' | 'path'>): string =>
  `${zone}\n${status}\n${asset}\n${path}`

export const beaconKey = ({
  path,
  country,
  hit,
}: Pick<TrafficBeaconTable, 'path' | 'country' | 'hit'>): string => `${country}\n${hit}\n${path}`

const beaconsOf = (beacons: readonly BeaconRow[], day: number): TrafficBeaconTable[] =>
  summed(
    beacons.map(({ isHit, ...row }) => ({ ...row, day, hit: Number(isHit) })),
    beaconKey,
  )

type Summed = Sums & Partial<TrafficTotals>

const names = Object.keys(nothing) as readonly (keyof TrafficTotals)[]

/** One row a key: the first of each, to which the others are added. */
function summed<Row extends Summed>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const sumByKey = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sumByKey.get(key)
    if (sum === undefined) sumByKey.set(key, { ...row })
    else {
      addTotals(sum, row)
    }
  }
  return [...sumByKey.values()]
}

function addTotals(sum: Summed, added: Summed): void {
  for (const name of names) {
    const more = added[name]
    if (more !== undefined) sum[name] = (sum[name] ?? 0) + more
  }
}

const withEveryZone = <Row extends Summed & { readonly zone: string }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] => [
  ...rows,
  ...summed(
    rows.map((row) => ({ ...row, zone: everyZone })),
    keyOf,
  ),
]

function pathsByZone(rows: readonly TrafficRow[]): Map<string, Map<string, Sums>> {
  const zones = new Map<string, Map<string, Sums>>()
  for (const { zone, path, isAsset, requests, bytes } of rows) {
    if (!isAsset) continue
    const paths = zones.get(zone) ?? new Map<string, Sums>()
    zones.set(zone, paths)
    const sum = paths.get(path) ?? { requests: 0, bytes: 0 }
    sum.requests += requests
    sum.bytes += bytes
    paths.set(path, sum)
  }
  return zones
}
