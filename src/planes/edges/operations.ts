import type { HandledOperation } from '../../http/operation.ts'
import { certificateOperations, type EdgeCertificateDependencies } from './certificates.ts'
import { type EdgeFeedDependencies, feedOperations } from './feed.ts'
import { type EdgeManifestDependencies, manifestOperations } from './manifest.ts'
import { type EdgeImageDependencies, imageOperations } from './images.ts'
import { type EdgePastDependencies, pastOperations } from './past.ts'
import { type EdgeReportDependencies, reportOperations } from './reports.ts'

type EdgesDependencies = EdgeFeedDependencies &
  EdgeManifestDependencies &
  EdgeCertificateDependencies &
  EdgeImageDependencies &
  EdgePastDependencies &
  EdgeReportDependencies

/** What edges ask of the origin, and of edges in between. */
export const edgesOperations: readonly HandledOperation<EdgesDependencies>[] = [
  ...feedOperations,
  ...manifestOperations,
  ...imageOperations,
  ...pastOperations,
  ...certificateOperations,
  ...reportOperations,
]
