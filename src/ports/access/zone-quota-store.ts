import type { AuditRecord } from '../records/audit.ts'

/** What is made of delivery that goes beyond what its zone may have: less, or nothing. */
export const usedUpModes = ['degrade', 'cut'] as const
export type UsedUpMode = (typeof usedUpModes)[number]

/** What was said of one zone. */
export interface ZoneBounds {
  readonly zone: string
  /** By the name of the quota; `null` is no bound. What is not named is as for every zone. */
  readonly limits: Readonly<Record<string, number | null>>
  readonly whenUsedUp: UsedUpMode
}

/** Bounds of single zones. They go with their zone. */
export interface ZoneQuotaStore {
  /** Of all zones of which anything was said, by name. */
  list(): Promise<readonly ZoneBounds[]>
  /**
   * Puts them in the place of those of the zone, with a record of who did it; `false`, and nothing is
   * changed, where there is no such zone.
   */
  save(bounds: ZoneBounds, audit: AuditRecord): Promise<boolean>
}
