import { getOpenApiDocument, type PlaneDescription } from '../http/openapi/openapi.ts'
import type { Operation } from '../http/operation.ts'
import { invitationOperations } from './access/invitations.ts'
import { passkeyOperations } from './access/passkeys.ts'
import { oidcOperations } from './access/oidc.ts'
import { peopleOperations } from './access/people.ts'
import { sessionOperations } from './access/sessions.ts'
import { signInOperations } from './access/sign-in.ts'
import { tokenOperations } from './access/tokens.ts'
import { watchAssets } from './assets/asset-events.ts'
import { archiveOperations } from './assets/archive-assets.ts'
import { bulkOperations } from './assets/bulk-assets.ts'
import { listDeletedAssets } from './assets/deleted-assets.ts'
import { assetHistoryOperations } from './assets/asset-history.ts'
import { getAssetVersionImage } from './assets/version-image.ts'
import { assetMetadataOperations } from './assets/asset-metadata.ts'
import { listAssets } from './assets/listed/list-assets.ts'
import { listFolders } from './assets/listed/list-folders.ts'
import { listDuplicates } from './assets/duplicates.ts'
import { findSimilarAssets } from './assets/similar-assets.ts'
import { signAsset } from './assets/sign-asset.ts'
import { visionOperations } from './assets/ai-operations.ts'
import { undoCommit } from './assets/undo-commit.ts'
import { chatOperation } from './chat/chat.ts'
import { listAuditLogs } from './core/audit-logs.ts'
import { backupOperations } from './core/backups.ts'
import { erasureOperations } from './core/erasures.ts'
import { domainOperations } from './core/domains.ts'
import { edgeRegistryOperations } from './core/edges.ts'
import { previewChangesOperations } from './core/previews/preview-changes.ts'
import { previewOperations } from './core/previews/previews.ts'
import { explainOperations } from './core/explain-rules.ts'
import { ruleVersionOperations } from './core/rule-versions.ts'
import { ruleOperations } from './core/rules.ts'
import { getHealthParts } from './core/watched/health-parts.ts'
import { notificationOperations } from './core/watched/notifications.ts'
import { getStatistics } from './core/statistics.ts'
import { getZoneDifferences } from './core/past/zone-differences.ts'
import { zoneHistoryOperations } from './core/past/zone-history.ts'
import { zoneFieldsOperations } from './core/zone-fields.ts'
import { zoneQuotaOperations } from './core/settings/zone-quotas.ts'
import { zoneOperations } from './core/zones.ts'
import { autoOperations } from './delivery/auto.ts'
import { responsiveImageOperations } from './delivery/responsive-images.ts'
import { getImageInfo } from './delivery/image-info.ts'
import { getIiifImage } from './iiif/images.ts'
import { purgeOperation } from './delivery/purge.ts'
import { getSigned } from './delivery/signed.ts'
import { getStream } from './delivery/streams/stream.ts'
import { getThumbnails } from './delivery/streams/thumbnails.ts'
import { transformImage } from './delivery/transform.ts'
import { edgesOperations } from './edges/operations.ts'
import { insightsOperations } from './insights/operations.ts'
import { analyticsOperations } from './observability/analytics.ts'
import { getHealth } from './observability/health.ts'
import { getLimits } from './observability/limits.ts'
import { listLogs } from './observability/logs.ts'
import { searchOperation } from './search/search.ts'
import { searchDocumentation } from './search/search-documentation.ts'
import { storageOperations } from './storage/operations.ts'
import { draftOperations } from './uploads/draft/draft-operations.ts'
import { grantOperations } from './uploads/grant-operations.ts'
import { grantedFileOperations } from './uploads/granted-files.ts'
import { tusOperations } from './uploads/tus/tus-operations.ts'
import { webhooksOperations } from './webhooks/operations.ts'

/** Every endpoint of the service, in the order of its description. */
export const allOperations: readonly Operation[] = [
  listAssets,
  listFolders,
  ...assetMetadataOperations,
  ...assetHistoryOperations,
  getAssetVersionImage,
  findSimilarAssets,
  ...visionOperations,
  listDuplicates,
  listDeletedAssets,
  ...bulkOperations,
  undoCommit,
  ...archiveOperations,
  watchAssets,
  signAsset,
  ...storageOperations,
  ...draftOperations,
  ...tusOperations,
  ...grantOperations,
  ...grantedFileOperations,
  ...zoneOperations,
  ...zoneFieldsOperations,
  ...zoneQuotaOperations,
  ...zoneHistoryOperations,
  getZoneDifferences,
  ...previewOperations,
  ...previewChangesOperations,
  ...erasureOperations,
  ...backupOperations,
  ...domainOperations,
  ...ruleOperations,
  ...explainOperations,
  ...ruleVersionOperations,
  ...edgeRegistryOperations,
  ...notificationOperations,
  getHealthParts,
  getStatistics,
  listAuditLogs,
  transformImage,
  ...autoOperations,
  ...responsiveImageOperations,
  getIiifImage,
  getImageInfo,
  getSigned,
  getStream,
  getThumbnails,
  purgeOperation,
  ...tokenOperations,
  ...passkeyOperations,
  ...sessionOperations,
  ...peopleOperations,
  ...invitationOperations,
  ...signInOperations,
  ...oidcOperations,
  ...webhooksOperations,
  ...insightsOperations,
  ...analyticsOperations,
  searchOperation,
  searchDocumentation,
  chatOperation,
  listLogs,
  getLimits,
  getHealth,
  ...edgesOperations,
  getOpenApiDocument,
]

/** What each plane is for, by the name that its operations give. */
export const planeDescriptions: Readonly<Record<string, PlaneDescription>> = {
  assets: {
    title: 'Assets',
    description: 'The catalogue of everything that is stored: lists, filters, metadata, history.',
  },
  storage: {
    title: 'Storage',
    description: 'Files: store, read, list, delete. Every write is a commit.',
  },
  uploads: {
    title: 'Uploads',
    description:
      'Files of any size, in pieces, gone on with where the connection was lost: by the draft of the IETF and by tus.',
  },
  core: {
    title: 'Core',
    description: 'Zones, their host names, edge rules, statistics, and who changed what.',
  },
  delivery: {
    title: 'Delivery',
    description:
      'Images in other sizes and formats, signed URLs, videos, and purging. Assets themselves are at their paths, `/<zone>/v1/…`.',
  },
  tokens: {
    title: 'Tokens',
    description: 'Bearer tokens that open no more than their scopes, in no more than their zones.',
  },
  passkeys: { title: 'Passkeys', description: 'How operators sign in to the dashboard.' },
  people: {
    title: 'People',
    description: 'Who may come in by their own name, what their roles open, and their invitations.',
  },
  sessions: { title: 'Sessions', description: 'Who is signed in.' },
  webhooks: {
    title: 'Webhook endpoints',
    description: 'Who is told of what happens. What they are sent is under *Webhooks*.',
  },
  insights: {
    title: 'Insights',
    description:
      'What was delivered, counted exactly. Countries: IP Geolocation by [DB-IP](https://db-ip.com).',
  },
  search: { title: 'Search', description: 'Find assets by what they are.' },
  chat: { title: 'Chat', description: 'Ask about the files and about this service.' },
  edges: {
    title: 'Edges',
    description: 'For edges elsewhere that follow what is published here. Nobody else needs it.',
  },
  operations: { title: 'Operations', description: 'Health, logs, analytics, and this document.' },
}
