import type { HandledOperation } from '../../http/operation.ts'
import { type AssetReportDependencies, getAssetInsights } from './asset.ts'
import { getErrors } from './errors.ts'
import { getGeography } from './geography.ts'
import { type LiveDependencies, watchTrafficOperation } from './live.ts'
import { getInsightsSummary } from './summary.ts'
import { getTrafficSeries, type SeriesDependencies } from './series.ts'
import { getTopAssets } from './top-assets.ts'
import { getZoneTraffic } from './zone-traffic.ts'
import { getBillingUsage, getUsage, type UsageDependencies } from './usage/usage.ts'
import { getAgents, getReferrers, getStatuses } from './visitors.ts'

/** What was counted and is stored. */
export const insightsReports: readonly HandledOperation<
  AssetReportDependencies & SeriesDependencies & UsageDependencies
>[] = [
  getInsightsSummary,
  getTrafficSeries,
  getReferrers,
  getAgents,
  getStatuses,
  getZoneTraffic,
  getTopAssets,
  getGeography,
  getErrors,
  getAssetInsights,
  getUsage,
  getBillingUsage,
]

export const insightsOperations: readonly HandledOperation<
  AssetReportDependencies & LiveDependencies & SeriesDependencies & UsageDependencies
>[] = [...insightsReports, watchTrafficOperation]
