import type { Operation } from '../../http/operation.ts'
import { assetReportOperation } from './asset.ts'
import { errorsOperation } from './errors.ts'
import { geographyOperation } from './geography.ts'
import { liveOperation, type LiveDependencies } from './live.ts'
import type { ReportDependencies } from './report-query.ts'
import { summaryOperation } from './summary.ts'
import { topAssetsOperation } from './top-assets.ts'

export type InsightsDependencies = ReportDependencies & LiveDependencies

export const insightsOperations = (dependencies: InsightsDependencies): readonly Operation[] => [
  summaryOperation(dependencies),
  topAssetsOperation(dependencies),
  geographyOperation(dependencies),
  errorsOperation(dependencies),
  assetReportOperation(dependencies),
  liveOperation(dependencies),
]
