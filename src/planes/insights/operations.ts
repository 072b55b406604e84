import type { HandledOperation } from '../../http/operation.ts'
import { getAssetInsights } from './asset.ts'
import { getErrors } from './errors.ts'
import { getGeography } from './geography.ts'
import { type LiveDependencies, watchTrafficOperation } from './live.ts'
import type { ReportDependencies } from './report-query.ts'
import { getInsightsSummary } from './summary.ts'
import { getTopAssets } from './top-assets.ts'

export const insightsOperations: readonly HandledOperation<
  ReportDependencies & LiveDependencies
>[] = [
  getInsightsSummary,
  getTopAssets,
  getGeography,
  getErrors,
  getAssetInsights,
  watchTrafficOperation,
]
