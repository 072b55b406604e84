import type { UsedUpMode } from '../../../ports/access/zone-quota-store.ts'

/** What was said of what one zone may have and use. */
export interface ZoneQuotaTable {
  readonly zone: string
  /** JSON: numbers and nulls by the name of the quota. */
  readonly limits: string
  readonly when_used_up: UsedUpMode
}
