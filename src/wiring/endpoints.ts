import { randomBytes } from 'node:crypto'

import { createArchives } from '../domain/content/delivered/archives.ts'
import { createFileReader } from '../domain/content/delivered/published-bytes.ts'
import { createZoneFields } from '../domain/content/metadata/zone-fields.ts'
import { createPastAssets } from '../domain/content/past/past-assets.ts'
import { createZoneDifferences } from '../domain/content/past/zone-differences.ts'
import { createZoneHistory } from '../domain/content/past/zone-history.ts'
import { createZoneRestorations } from '../domain/content/past/zone-restorations.ts'
import { createRuleFiles } from '../domain/content/rule-files.ts'
import type { Backups } from '../domain/backups/backups.ts'
import type { Health } from '../domain/health/health.ts'
import { watchLeftOut } from '../domain/health/left-out.ts'
import { checkTransforms } from '../domain/media/named/parse-transforms.ts'
import type { Search } from '../domain/search/search.ts'
import { type Endpoint, endpoints } from '../http/operation.ts'
import { watchAssets } from '../planes/assets/asset-events.ts'
import { archiveOperations } from '../planes/assets/archive-assets.ts'
import { bulkOperations } from '../planes/assets/bulk-assets.ts'
import { listDeletedAssets } from '../planes/assets/deleted-assets.ts'
import { assetHistoryOperations } from '../planes/assets/asset-history.ts'
import { assetMetadataOperations } from '../planes/assets/asset-metadata.ts'
import { listAssets } from '../planes/assets/listed/list-assets.ts'
import { listFolders } from '../planes/assets/listed/list-folders.ts'
import { getAssetVersionImage } from '../planes/assets/version-image.ts'
import { listDuplicates } from '../planes/assets/duplicates.ts'
import { findSimilarAssets } from '../planes/assets/similar-assets.ts'
import { signAsset } from '../planes/assets/sign-asset.ts'
import { visionOperations } from '../planes/assets/ai-operations.ts'
import { undoCommit } from '../planes/assets/undo-commit.ts'
import { chatOperation, type ChatDependencies } from '../planes/chat/chat.ts'
import { listAuditLogs } from '../planes/core/audit-logs.ts'
import { backupOperations } from '../planes/core/backups.ts'
import { erasureOperations } from '../planes/core/erasures.ts'
import { domainOperations } from '../planes/core/domains.ts'
import { edgeRegistryOperations } from '../planes/core/edges.ts'
import { previewChangesOperations } from '../planes/core/previews/preview-changes.ts'
import { previewOperations } from '../planes/core/previews/previews.ts'
import { explainOperations } from '../planes/core/explain-rules.ts'
import { createRuleVersions } from '../domain/content/rules/rule-versions.ts'
import { ruleVersionOperations } from '../planes/core/rule-versions.ts'
import { ruleOperations } from '../planes/core/rules.ts'
import { getStatistics } from '../planes/core/statistics.ts'
import { getZoneDifferences } from '../planes/core/past/zone-differences.ts'
import { zoneHistoryOperations } from '../planes/core/past/zone-history.ts'
import { zoneFieldsOperations } from '../planes/core/zone-fields.ts'
import { zoneQuotaOperations } from '../planes/core/settings/zone-quotas.ts'
import { zoneOperations } from '../planes/core/zones.ts'
import { edgesOperations } from '../planes/edges/operations.ts'
import { insightsOperations } from '../planes/insights/operations.ts'
import { analyticsOperations } from '../planes/observability/analytics.ts'
import { getHealth } from '../planes/observability/health.ts'
import { getLimits } from '../planes/observability/limits.ts'
import { searchOperation } from '../planes/search/search.ts'
import { searchDocumentation } from '../planes/search/search-documentation.ts'
import type { DocumentationSearch } from '../domain/assistant/knowledge/documentation-search.ts'
import { storageOperations } from '../planes/storage/operations.ts'
import { draftOperations } from '../planes/uploads/draft/draft-operations.ts'
import { grantOperations } from '../planes/uploads/grant-operations.ts'
import { grantedFileOperations } from '../planes/uploads/granted-files.ts'
import { tusOperations } from '../planes/uploads/tus/tus-operations.ts'
import { webhooksOperations } from '../planes/webhooks/operations.ts'
import type { Access } from './access/access.ts'
import { accessEndpoints } from './access/access-endpoints.ts'
import { createFileVerbs, purgesOf } from './content/file-verbs.ts'
import { deliveryEndpoints, signingOf } from './delivery/delivery-endpoints.ts'
import { isPreviewAt } from './delivery/host-purposes.ts'
import { pinnedOf } from './delivery/versions.ts'
import { openLimitBook } from './access/limit-book.ts'
import type { Limits } from './access/limits.ts'
import type { Uploading } from './access/upload-grants.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import { openZones } from './zones.ts'
import type { Edges } from './edges.ts'
import type { Erasing } from './erasing/erasing.ts'
import type { Insights } from './insights.ts'
import { type Logs, logsEndpoint } from './logs.ts'
import type { Watching } from './health/watching.ts'
import type { SeenMedia } from './vision/vision.ts'
import type { ZoneQuotasOpen } from './quotas/zone-quotas.ts'
import type { WebhookParts } from './webhooks.ts'
import type { World } from './world.ts'

export interface Opened {
  readonly stores: Stores
  readonly opening: AsyncDisposableStack
  readonly publishing: Publishing
  readonly access: Access
  readonly uploading: Uploading
  readonly insights: Insights
  readonly media: SeenMedia
  readonly limits: Limits
  readonly logs: Logs
  readonly webhooks: WebhookParts
  readonly zoneQuotas: ZoneQuotasOpen
  readonly search: Search
  readonly documentation: DocumentationSearch
  readonly edges: Edges
  readonly health: Health
  readonly watching: Watching
  readonly erasing: Erasing
  readonly backups: Backups
  readonly chat: ChatDependencies['chat']
}

/** Every operation of the service with what it works with, plane by plane. */
export const createEndpoints = (world: World, opened: Opened): readonly Endpoint[] => [
  ...contentEndpoints(world, opened),
  ...coreEndpoints(world, opened),
  ...deliveryEndpoints(world, opened),
  ...accessEndpoints(world, opened),
  ...endpoints(webhooksOperations, opened.webhooks),
  ...insightsEndpoints(world, opened),
  ...questionEndpoints(world, opened),
  ...operatorEndpoints(world, opened),
  ...endpoints(edgesOperations, {
    ...opened.edges.operations,
    blobs: opened.publishing.bytes,
    now: world.now,
  }),
]

/** Storing files, and the catalogue of what is stored. */
function contentEndpoints(world: World, opened: Opened): readonly Endpoint[] {
  const { config, now } = world
  const { publishing, media, insights } = opened
  const { catalog, feed, previewing } = publishing
  const ofPreview = previewing.verbsOf
  const { baseUrl } = config
  const { files } = opened.uploading
  const { fileEdits, deleted, history, restoredVersions, descriptions, reversals } =
    createFileVerbs(world, opened)
  const described = { catalog, descriptions, baseUrl, now }
  return [
    ...endpoints(storageOperations, {
      catalog,
      files,
      fileEdits,
      ofPreview,
      reader: createFileReader(publishing.bytes),
      erased: publishing.manifest,
      similarAssets: media.similarAssets,
      now,
    }),
    ...uploadEndpoints(world, opened),
    listAssets.endpoint({ catalog, now }),
    listFolders.endpoint({ catalog }),
    ...endpoints(assetMetadataOperations, { ...described, ...media, ofPreview }),
    ...endpoints(assetHistoryOperations, { history, restoredVersions, deleted }),
    ...imageEndpoints(opened),
    ...endpoints(visionOperations, { ...described, ...media, ...media.vision }),
    listDeletedAssets.endpoint({ deleted, now }),
    ...endpoints(bulkOperations, {
      fileEdits,
      descriptions,
      ofPreview,
      listed: catalog,
      purges: purgesOf(world, opened),
      now,
    }),
    undoCommit.endpoint({ reversals }),
    ...archiveEndpoints(world, opened),
    watchAssets.endpoint({ feed, eventStreams: insights.eventStreams }),
    signAsset.endpoint({
      catalog,
      pinned: pinnedOf(world, opened.publishing),
      baseUrl,
      now,
      ...signingOf(config),
    }),
  ]
}

/** Many files as one. */
const archiveEndpoints = ({ config, now }: World, { publishing }: Opened) =>
  endpoints(archiveOperations, {
    catalog: publishing.catalog,
    archives: createArchives({ newSecret: () => randomBytes(24).toString('base64url'), now }),
    reader: createFileReader(publishing.bytes),
    baseUrl: config.baseUrl,
    now,
  })

/** What stored images look like. */
const imageEndpoints = ({ stores, publishing, media }: Opened): readonly Endpoint[] => [
  getAssetVersionImage.endpoint({
    images: media.images,
    pastAssets: createPastAssets({
      content: stores.content,
      files: publishing.pastFiles,
      published: publishing.manifest,
    }),
  }),
  findSimilarAssets.endpoint({ catalog: publishing.catalog, similarAssets: media.similarAssets }),
  listDuplicates.endpoint(media),
]

/** Files that arrive in pieces, or with nothing but a grant. */
function uploadEndpoints({ config, now }: World, opened: Opened): readonly Endpoint[] {
  const { catalog } = opened.publishing
  const { baseUrl, corsOrigins } = config
  const { similarAssets } = opened.media
  const common = { ...opened.uploading, catalog, similarAssets, baseUrl, corsOrigins, now }
  return [
    ...endpoints([...draftOperations, ...tusOperations], common),
    ...endpoints(grantOperations, common),
    ...endpoints(grantedFileOperations, common),
  ]
}

/** Zones, their host names and rules, and what is known of them. */
function coreEndpoints({ config, now }: World, opened: Opened): readonly Endpoint[] {
  const { stores, publishing, insights, edges } = opened
  const { catalog, manifest, publisher, domains, ownHosts } = publishing
  const { blobs, content, audit } = stores
  const { baseUrl, cnameTarget } = config
  const isPreview = isPreviewAt({ ...config, manifest, now })
  const zones = openZones(opened)
  const rules = createRuleFiles({
    blobs,
    publisher,
    published: manifest,
    head: () => content.head(),
    isOwnHost: (hostname) => ownHosts.has(hostname),
    checkTransforms,
    now,
  })
  const fields = createZoneFields({ blobs, published: catalog, publisher })
  return [
    ...endpoints(zoneOperations, { catalog, zones, domains, baseUrl }),
    ...endpoints(zoneFieldsOperations, { fields }),
    ...endpoints(zoneQuotaOperations, { quotas: opened.zoneQuotas, published: catalog, now }),
    ...endpoints(zoneHistoryOperations, {
      zoneHistory: createZoneHistory({ content, published: catalog }),
      zoneRestorations: createZoneRestorations({ content, published: catalog, publisher, blobs }),
    }),
    getZoneDifferences.endpoint({
      zoneDifferences: createZoneDifferences({ content, published: catalog }),
    }),
    ...endpoints(previewOperations, { ...publishing.previewing, ...config }),
    ...endpoints(previewChangesOperations, {
      ...publishing.previewing,
      published: catalog,
      baseUrl,
    }),
    ...endpoints(domainOperations, {
      domains,
      published: manifest,
      isPreview,
      cnameTarget,
      baseUrl,
    }),
    ...endpoints([...ruleOperations, ...explainOperations], {
      rules,
      published: catalog,
      zoneOfHost: (hostname) => domains.zoneOfHost(hostname),
      now,
    }),
    ...endpoints(ruleVersionOperations, {
      versions: createRuleVersions({ content, published: catalog }),
    }),
    ...endpoints(edgeRegistryOperations, { ...edges.operations, now }),
    getStatistics.endpoint({ ...insights.operations, now }),
    ...endpoints(erasureOperations, opened.erasing),
    ...endpoints(backupOperations, opened),
    listAuditLogs.endpoint({ audit, published: catalog, ...opened.access.operations, now }),
  ]
}

/** What was delivered. */
function insightsEndpoints(world: World, opened: Opened): readonly Endpoint[] {
  const { formerNames } = createFileVerbs(world, opened)
  const counted = { ...opened.insights.operations, formerNames, now: world.now }
  return [...endpoints(insightsOperations, counted), ...endpoints(analyticsOperations, counted)]
}

/** What is asked in words. */
const questionEndpoints = ({ config }: World, opened: Opened): readonly Endpoint[] => [
  searchOperation.endpoint({ search: opened.search, baseUrl: config.baseUrl }),
  searchDocumentation.endpoint({
    documentation: opened.documentation,
    baseUrl: config.baseUrl,
  }),
  chatOperation.endpoint({
    chat: opened.chat,
    eventStreams: opened.insights.eventStreams,
    baseUrl: config.baseUrl,
  }),
]

/** What an operator watches. */
function operatorEndpoints(world: World, opened: Opened): readonly Endpoint[] {
  const { now } = world
  const { limits, publishing, access, webhooks, health, watching } = opened
  const { tokens } = access.operations
  const { grants, inUse } = opened.uploading
  const { catalog, feed } = publishing
  const leftOut = watchLeftOut({ feed, published: catalog, all: () => catalog.all() })
  return [
    logsEndpoint(world, opened),
    getLimits.endpoint({
      limitBook: openLimitBook(world, { ...opened, tokens, grants, inUse, ...webhooks }),
      rateLimits: limits.rates,
      published: publishing.catalog,
      now,
    }),
    ...watching.endpoints,
    getHealth.endpoint({
      health,
      leftOut,
      version: world.config.version,
      chargeHealthCheck: (address) => void limits.rates.charge('health', address),
      now,
    }),
  ]
}
