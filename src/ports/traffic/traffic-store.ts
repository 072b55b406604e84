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
  /** The same of each zone by itself, by zone and day; what named none is in none. */
  zoneDays(scope: TrafficScope): Promise<readonly ZoneDay[]>
  /** By hour, oldest first, as long as hours are kept. */
  hourly(scope: TrafficScope): Promise<readonly HourTraffic[]>
  /** Step by step, oldest first, as long as it is kept; steps without traffic are left out. */
  series(scope: SeriesScope): Promise<readonly SeriesPoint[]>
  /** Most requests first, then by name. */
  names(kind: NameKind, scope: TrafficScope, limit: number): Promise<NameReport>
  /** Most requests first, then by code. */
  countries(scope: TrafficScope): Promise<readonly CountryTraffic[]>
  /** Assets with the most requests first. Of equals those that were asked for first. */
  topPaths(scope: TrafficScope, limit: number): Promise<readonly PathTraffic[]>
  /** Answers of 400 and above by status, most first, each with its most frequent paths. */
  errors(scope: TrafficScope, pathsEach: number): Promise<readonly ErrorTraffic[]>
  /** All that is known of one path: as an asset, and as a URL that was refused. */
  path(path: string, period: Omit<TrafficPeriod, 'hours'>): Promise<readonly PathDay[]>
  /** The same step by step, oldest first, as long as it is kept; steps without traffic are left out. */
  pathSteps(path: string, scope: PathStepScope): Promise<readonly PathStep[]>
  /** What clients reported of themselves. Nothing of it is in any of the others. */
  beacons(period: TrafficPeriod): Promise<readonly BeaconDay[]>
  /**
   * Forgets minutes of assets after 2 days, minutes after 3, who asked and for what in an hour after 35,
   * refused paths, names and beacons after 90, hours after 190, all else after 400, and puts what is
   * closed into the form that is read fastest. Changes no report of what is still kept.
   */
  tidy(today: number): Promise<void>
}

/** Refused URLs with a row of their own, for each zone and day; the others are added up as `''`. */
export const maxErrorPathsPerDay = 100
/** The same for assets. */
export const maxAssetPathsPerDay = 50_000
/** The same for the paths of beacons, for all of a day. */
export const maxBeaconRowsPerDay = 500

/** Host names of referrers with a row of their own, for each zone and day. */
export const maxReferrersPerDay = 200
/** The name of those that have none. */
export const otherName = '(other)'

/** Names of a kind with a row of their own, for each zone and hour. */
export const maxNamesPerHour = 100
/** Refused URLs, likewise. */
export const maxErrorPathsPerHour = 50
/** Assets, likewise. */
export const maxAssetPathsPerHour = 5_000
/** Assets with sums of their own, for each zone and minute. */
export const maxAssetPathsPerMinute = 500

export const keptMinuteDays = 3
/** Of the assets of a minute: today and yesterday. */
export const keptPathMinuteDays = 2
/** Of what reports tell beside sums: the longest period whose both ends are told to the hour. */
export const keptDetailHourDays = 35
/** The longest period that charts show, and as much before it. */
export const keptHourDays = 190
export const keptPathDays = 91
export const keptDays = 400

/** Both days are included; none where `fromDay` is after `toDay`. */
export interface TrafficPeriod {
  readonly fromDay: number
  readonly toDay: number
  /** Hours that count beside the days, and are in none of them. Read by names, countries, paths and errors. */
  readonly hours?: readonly HourSpan[]
}

export interface HourSpan {
  readonly fromHour: number
  /** Not included. */
  readonly toHour: number
}

export interface TrafficScope extends TrafficPeriod {
  /** All there are, and requests that named none, where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
}

export type TrafficStep = 'minute' | 'hour' | 'day'

/** In whole steps since 1970. */
export interface SeriesScope extends Pick<TrafficScope, 'zones'> {
  readonly step: TrafficStep
  readonly from: number
  /** Not included. */
  readonly to: number
}

export interface SeriesTotals extends Traffic {
  readonly hits: number
  /** Requests by the class of their status. Nothing is told of what was counted before they were told apart. */
  readonly status2xx: number
  readonly status3xx: number
  readonly status4xx: number
  readonly status5xx: number
  /** Images made of assets, from a cache or not. */
  readonly transforms: number
  /** Of these, those that no cache had. */
  readonly transformsMade: number
  /** Requests by the buckets of `lib/collections/duration-histogram`. */
  readonly latencies: ReadonlyMap<number, number>
}

export interface SeriesPoint extends SeriesTotals {
  readonly at: number
}

/** The status is three digits; `own` has one name, and tells of what is counted nowhere else. */
export type NameKind = 'referrer' | 'agent' | 'status' | 'own'

/** The only name of the kind `own`. */
export const ownName = 'dashboard'

/** In whole minutes or hours since 1970. */
export interface PathStepScope {
  readonly step: 'minute' | 'hour'
  readonly from: number
  /** Not included. */
  readonly to: number
}

export interface PathStep extends Traffic {
  readonly at: number
  /** Requests of 400 and above; absent by the minute, which does not tell them apart. */
  readonly errors?: number
}

export interface NameReport {
  readonly names: readonly NamedTraffic[]
  /** What has no row of its own: no name is missing more than this. */
  readonly rest: Traffic
}

export interface TrafficFlush {
  /** The process that counted. */
  readonly process: string
  /** From 1; each flush of a process has a larger one. */
  readonly number: number
  readonly hour: number
  /** The minute of the hour; the first one where left out, as by an edge that does not tell it. */
  readonly minute?: number
  readonly rows: readonly TrafficRow[]
  readonly beacons: readonly BeaconRow[]
  /** Absent where the edge that counted does not tell it. */
  readonly audience?: readonly AudienceRow[]
  /** What was asked of models that the operator has set; edges ask none. */
  readonly calls?: readonly CallRow[]
}

export type CallKind = 'vision' | 'chat' | 'embedding'

/** Calls to a model, for a zone; `''` where they are for none. */
export interface CallRow {
  readonly zone: string
  readonly kind: CallKind
  readonly calls: number
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
  /** Of an image that was made of the asset when it was asked for. */
  readonly isTransform?: boolean
}

/** Who asked a zone and how long they waited. Each request is once in each of the three. */
export interface AudienceRow {
  readonly zone: string
  /** Requests by the buckets of `lib/collections/duration-histogram`. */
  readonly latencies: readonly (readonly [bucket: number, requests: number])[]
  readonly referrers: readonly NamedTraffic[]
  readonly agents: readonly NamedTraffic[]
  /** Beside these: what the dashboard itself asked for, which is in no other count. */
  readonly ownRequests?: number
}

/** A host name, or a family of agents. */
export interface NamedTraffic extends Traffic {
  readonly name: string
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

export interface ZoneDay extends DayTraffic {
  readonly zone: string
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
