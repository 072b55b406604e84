import type { BeaconRow, TrafficFlush, TrafficRow } from '../../../ports/traffic/traffic-store.ts'
import type {
  TrafficBeaconTable,
  TrafficCountryTable,
  TrafficDayTable,
  TrafficErrorTable,
} from './traffic-schema.ts'

/** In place of a zone: all of them together. No zone can be called so. */
export const everyZone = '*'

export interface FoldedFlush {
  readonly day: number
  readonly totals: readonly TrafficDayTable[]
  readonly countries: readonly TrafficCountryTable[]
  readonly errors: readonly TrafficErrorTable[]
  readonly beacons: readonly TrafficBeaconTable[]
  /** Of assets alone; `''` for those that were not told apart. */
  readonly pathsByZone: ReadonlyMap<string, ReadonlyMap<string, Sums>>
}

export interface Sums {
  requests: number
  bytes: number
}

/** What the rows of a flush come to, table by table. No key occurs twice. */
export function foldRows({ hour, rows, beacons }: TrafficFlush): FoldedFlush {
  const day = Math.floor(hour / 24)
  return {
    day,
    totals: withEveryZone(totalsOf(rows, day), ({ zone }) => zone),
    countries: withEveryZone(countriesOf(rows, day), ({ zone, country }) => `${zone}\n${country}`),
    errors: withEveryZone(errorsOf(rows, day), errorKey),
    beacons: beaconsOf(beacons, day),
    pathsByZone: pathsByZone(rows),
  }
}

const totalsOf = (rows: readonly TrafficRow[], day: number): TrafficDayTable[] =>
  summed(
    rows.map(({ zone, requests, bytes, isHit }) => {
      const hits = isHit ? requests : 0
      return { zone, day, requests, bytes, hits }
    }),
    ({ zone }) => zone,
  )

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

interface Summed extends Sums {
  hits?: number
}

/** One row a key: the first of each, to which the others are added. */
function summed<Row extends Summed>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const sumByKey = new Map<string, Row>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sumByKey.get(key)
    if (sum === undefined) sumByKey.set(key, { ...row })
    else {
      sum.requests += row.requests
      sum.bytes += row.bytes
      if (sum.hits !== undefined) sum.hits += row.hits ?? 0
    }
  }
  return [...sumByKey.values()]
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
