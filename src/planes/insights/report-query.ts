import { z } from 'zod'

import type { ReportScope } from '../../domain/insights/period.ts'
import { hitRatio, type Reports, type Totals } from '../../domain/insights/reports.ts'
import type { Access, Caller } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'

export interface ReportDependencies {
  readonly reports: Reports
  /** Brings the reports up to this moment. */
  readonly flushTraffic: () => Promise<void>
  readonly now: () => Date
}

export const insightsAccess: Access = {
  keys: ['access', 'account'],
  scope: 'insights:read',
  session: true,
}

export const days = clampedInteger({
  min: 1,
  max: 90,
  default: 7,
  description: 'So many days, today among them',
})

export const zone = z.string().optional().describe('Exactly this zone; else all')

export const limit = clampedInteger({ min: 1, max: 100, default: 20 })

export const period = z.object({
  Days: z.int(),
  Zone: z.string().describe('`all` for all zones'),
})

export interface ReportQuery {
  readonly days: number
  readonly zone?: string | undefined
}

export const scopeOf = ({ days: count, zone: name }: ReportQuery, caller: Caller): ReportScope => ({
  days: count,
  zone: isAll(name) ? undefined : name,
  zones: caller.zones,
})

/** `all` is what the answer calls all zones, so it is taken to mean that too. */
const isAll = (name: string | undefined): boolean =>
  name === undefined || name === '' || name === 'all'

export const periodOf = ({ days: count, zone: name }: ReportQuery): z.infer<typeof period> => ({
  Days: count,
  Zone: isAll(name) ? 'all' : (name ?? 'all'),
})

/** `93.4%`, or `N/A` without traffic. */
export function hitRateText(totals: Totals): string {
  const ratio = hitRatio(totals)
  return ratio === undefined ? 'N/A' : `${(ratio * 100).toFixed(1)}%`
}
