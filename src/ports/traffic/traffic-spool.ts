import type { TrafficFlush } from './traffic-store.ts'

export interface SpooledFlush {
  /** Grows with every flush that is added. */
  readonly place: number
  readonly flush: TrafficFlush
}

/** What was counted and has not been handed over yet, oldest first, kept over a restart. */
export interface TrafficSpool {
  /** Answers `false`, and nothing is added, where there is no more room. */
  add(flush: TrafficFlush): Promise<boolean>
  oldest(limit: number): Promise<readonly SpooledFlush[]>
  /** Forgets everything up to and including `place`. */
  removeTo(place: number): Promise<void>
}
