/** Days and hours are whole numbers since 1970. Every sum by zone has a row `*` too: of all zones. */
export interface TrafficSums {
  requests: number
  bytes: number
}

/** All that is told of a zone in a time. */
export interface TrafficTotals extends TrafficSums {
  hits: number
  status_2xx: number
  status_3xx: number
  status_4xx: number
  status_5xx: number
  transforms: number
  /** Of these, those that no cache had. */
  transforms_made: number
}

interface TrafficTotalsTable extends TrafficTotals {
  readonly zone: string
  /** A histogram, as `latency-text.ts` writes it; null where nothing was measured. */
  readonly latencies: string | null
}

export interface TrafficMinuteTable extends TrafficTotalsTable {
  readonly minute: number
}

export interface TrafficHourTable extends TrafficTotalsTable {
  readonly hour: number
}

export interface TrafficDayTable extends TrafficTotalsTable {
  readonly day: number
}

interface NamedSums extends TrafficSums {
  readonly zone: string
  readonly name: string
}

/** Who asked, and what they were answered. The name `(other)` is the sum of those without a row of their own. */
export interface TrafficNameTable extends NamedSums {
  readonly kind: 'referrer' | 'agent' | 'status' | 'own'
  readonly day: number
}

/** The same of an hour, where countries are among them. */
export interface TrafficHourNameTable extends NamedSums {
  readonly kind: TrafficNameTable['kind'] | 'country'
  readonly hour: number
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

/** The same of an hour. */
export interface TrafficHourErrorTable extends Omit<TrafficErrorTable, 'day'> {
  readonly hour: number
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

/** Sums of a zone's assets in a minute or an hour, in parts. */
export interface TrafficPathStepTable {
  readonly step: 'minute' | 'hour'
  readonly at: number
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

/** At an edge: what waits to be handed over. */
export interface TrafficSpoolTable {
  readonly place: number
  readonly size_characters: number
  /** JSON. */
  readonly flush: string
}
