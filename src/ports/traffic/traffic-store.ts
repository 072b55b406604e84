/**
 * What was delivered, added up. Days and hours are UTC, as whole numbers since 1970-01-01. A zone is
 * always meant exactly; `''` is the zone of requests that named none.
 */
export interface TrafficStore {
  /**
   * Adds all of a flush, durably, or nothing of it. A flush that is already there changes nothing:
   * answers whether it was new. The flushes of a process come in the order of their numbers.
   */
  record(flush: TrafficFlush): Promise<boolean>
  /** By day, oldest first; days without traffic are left out. */
  daily(scope: TrafficScope): Promise<readonly DayTraffic[]>
  /** By hour, oldest first, as long as hours are kept. */
  hourly(scope: TrafficScope): Promise<readonly HourTraffic[]>
  /** Most requests first, then by code. */
  countries(scope: TrafficScope): Promise<readonly CountryTraffic[]>
  /** Assets with the most requests first. Of equals those that were asked for first. */
  topPaths(scope: TrafficScope, limit: number): Promise<readonly PathTraffic[]>
  /** Answers of 400 and above by status, most first, each with its most frequent paths. */
  errors(scope: TrafficScope, pathsEach: number): Promise<readonly ErrorTraffic[]>
  /** All that is known of one path: as an asset, and as a URL that was refused. */
  path(path: string, period: TrafficPeriod): Promise<readonly PathDay[]>
  /** What clients reported of themselves. Nothing of it is in any of the others. */
  beacons(period: TrafficPeriod): Promise<readonly BeaconDay[]>
  /**
   * Forgets hours after 3 days, refused paths and beacons after 90, all else after 400, and puts
   * what is closed into the form that is read fastest. Changes no report of what is still kept.
   */
  tidy(today: number): Promise<void>
}

/** Refused URLs with a row of their own, for each zone and day; the others are added up as `''`. */
export const maxErrorPathsPerDay = 100
/** The same for assets. */
export const maxAssetPathsPerDay = 50_000
/** The same for the paths of beacons, for all of a day. */
export const maxBeaconRowsPerDay = 500

export const keptHourDays = 3
export const keptPathDays = 91
export const keptDays = 400

/** Both days are included. */
export interface TrafficPeriod {
  readonly fromDay: number
  readonly toDay: number
}

export interface TrafficScope extends TrafficPeriod {
  /** All there are, and requests that named none, where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
}

export interface TrafficFlush {
  /** The process that counted. */
  readonly process: string
  /** From 1; each flush of a process has a larger one. */
  readonly number: number
  readonly hour: number
  readonly rows: readonly TrafficRow[]
  readonly beacons: readonly BeaconRow[]
}

export interface TrafficRow {
  readonly zone: string
  /** `''` for paths that were not told apart. */
  readonly path: string
  /** Whether the path is an asset's; else somebody asked for it, and no more is known. */
  readonly isAsset: boolean
  readonly status: number
  readonly isHit: boolean
  /** Two letters. */
  readonly country: string
  readonly requests: number
  readonly bytes: number
}

export interface BeaconRow {
  readonly path: string
  readonly country: string
  readonly isHit: boolean
  readonly requests: number
  readonly bytes: number
}

export interface Traffic {
  readonly requests: number
  readonly bytes: number
}

export interface DayTraffic extends Traffic {
  readonly day: number
  /** How many of `requests` were answered from the cache. */
  readonly hits: number
}

export interface HourTraffic extends Traffic {
  readonly hour: number
  readonly hits: number
}

export interface CountryTraffic extends Traffic {
  readonly country: string
}

export interface PathTraffic extends Traffic {
  readonly path: string
}

export interface ErrorTraffic {
  readonly status: number
  readonly requests: number
  /** Most first, then by path; never the ones that were not told apart. */
  readonly paths: readonly { readonly path: string; readonly requests: number }[]
}

export interface PathDay extends Traffic {
  readonly day: number
  /** Requests by status, of 400 and above. */
  readonly errors: ReadonlyMap<number, number>
}

export interface BeaconDay extends BeaconRow {
  readonly day: number
}
