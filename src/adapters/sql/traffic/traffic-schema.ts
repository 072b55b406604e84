/** Days and hours are whole numbers since 1970. Every sum by zone has a row `*` too: of all zones. */
export interface TrafficSums {
  requests: number
  bytes: number
}

export interface TrafficDayTable extends TrafficSums {
  readonly zone: string
  readonly day: number
  hits: number
}

export interface TrafficHourTable extends TrafficSums {
  readonly zone: string
  readonly hour: number
  hits: number
}

export interface TrafficCountryTable extends TrafficSums {
  readonly zone: string
  readonly day: number
  readonly country: string
}

/** Answers of 400 and above. The path `''` is the sum of those without a row of their own. */
export interface TrafficErrorTable extends TrafficSums {
  readonly zone: string
  readonly day: number
  readonly status: number
  readonly path: string
  /** 1 where the requests are among those of the path's asset too. */
  readonly asset: number
}

export interface TrafficBeaconTable extends TrafficSums {
  readonly day: number
  readonly path: string
  readonly country: string
  readonly hit: number
}

/** The newest flush of each process. */
export interface TrafficFlushTable {
  readonly process: string
  readonly number: number
  readonly day: number
}

export interface TrafficPathTable {
  readonly id: number
  readonly path: string
}

/** Sums of a zone's assets over some days; several parts until they are merged. */
export interface TrafficPathBlockTable {
  readonly span_days: number
  readonly day: number
  readonly zone: string
  readonly part: number
  readonly entries: Uint8Array
}

/** Spans for which there are blocks of their own, and days for which there are tops. */
export interface TrafficSpanTable {
  readonly span_days: number
  readonly day: number
}

/** The most requested assets of a day that is over. */
export interface TrafficDayTopTable extends TrafficSums {
  readonly zone: string
  readonly day: number
  readonly id: number
}
