import type { TrafficRow } from '../../ports/traffic/traffic-store.ts'

/** What was delivered in a moment just past. */
export interface LiveTick {
  readonly at: Date
  readonly seconds: number
  readonly zones: readonly LiveZone[]
}

export interface LiveZone {
  readonly zone: string
  readonly requests: number
  readonly bytes: number
  readonly hits: number
  /** Answers of 400 and above. */
  readonly errors: number
}

export function liveTick(rows: readonly TrafficRow[], from: Date, to: Date): LiveTick {
  const sums = new Map<string, { -readonly [Name in keyof LiveZone]: LiveZone[Name] }>()
  for (const { zone, status, isHit, requests, bytes } of rows) {
    const sum = sums.get(zone) ?? { zone, requests: 0, bytes: 0, hits: 0, errors: 0 }
    sum.requests += requests
    sum.bytes += bytes
    if (isHit) sum.hits += requests
    if (status >= 400) sum.errors += requests
    sums.set(zone, sum)
  }
  const seconds = (to.getTime() - from.getTime()) / 1000
  return { at: to, seconds, zones: [...sums.values()] }
}
