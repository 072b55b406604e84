import type { Kysely, Migration } from 'kysely'

import type { Flavour } from './flavour.ts'
import { createFirstTables } from './migrations/001-first-tables.ts'
import { createAccessTables } from './migrations/002-access.ts'
import { createTrafficTables } from './migrations/003-traffic.ts'
import { createLogTable } from './migrations/004-logs.ts'
import { createMediaFactsTable } from './migrations/005-media-facts.ts'
import { createWebhookTables } from './migrations/006-webhooks.ts'
import { createVectorTable } from './migrations/007-vectors.ts'
import { addCertificateColumns } from './migrations/008-certificates.ts'
import { createEdgeTables } from './migrations/010-edges.ts'
import { addImageTexts } from './migrations/012-picture-texts.ts'
import { createCertificateTables } from './migrations/014-kept-certificates.ts'
import { createClusterTables } from './migrations/015-cluster.ts'
import { addZoneCommits } from './migrations/016-zone-commits.ts'
import { addProofOfDomains } from './migrations/017-proven-domains.ts'
import { indexLogLevels } from './migrations/018-log-levels.ts'
import { createStagedUploadTable } from './migrations/019-staged-uploads.ts'
import { createUploadGrantTables } from './migrations/020-upload-grants.ts'
import { addAssetMetadata } from './migrations/021-asset-metadata.ts'
import { createFileLockTable } from './migrations/022-file-locks.ts'
import { createPastAssetTables } from './migrations/023-past-assets.ts'
import { createEmbeddedMetadataTable } from './migrations/024-embedded-metadata.ts'
import { createAnnouncedExpiries } from './migrations/025-announced-expiries.ts'
import { addSigningTokens } from './migrations/026-signing-tokens.ts'
import { addZoneHistories } from './migrations/027-zone-histories.ts'
import { createUploadPartTable } from './migrations/028-upload-parts.ts'
import { createObjectVersionTables } from './migrations/029-object-versions.ts'
import { createContentDigestTable } from './migrations/030-content-digests.ts'
import { addPreviewPacks } from './migrations/037-preview-packs.ts'
import { addZoneTransforms } from './migrations/038-zone-transforms.ts'
import { createImageLikenessTable } from './migrations/039-image-likenesses.ts'
import { addZoneRetentions } from './migrations/040-zone-retentions.ts'
import { createReleasedBlobTable } from './migrations/041-released-blobs.ts'
import { addZoneRules } from './migrations/042-zone-rules.ts'
import { createTrafficSeries } from './migrations/043-traffic-series.ts'
import { createTrafficHours } from './migrations/045-traffic-hours.ts'
import { createPeopleTables } from './migrations/044-people.ts'
import { createNotificationTables } from './migrations/046-notifications.ts'
import { createSightingTables } from './migrations/047-sightings.ts'
import { createUsageTable } from './migrations/049-usage.ts'
import { createZoneQuotaTable } from './migrations/050-zone-quotas.ts'
import { addImageSummaries } from './migrations/051-image-summaries.ts'
import { createPreviewTable } from './migrations/031-previews.ts'
import { createKeptPastTable } from './migrations/034-kept-past.ts'
import { createErasureTables } from './migrations/035-erasures.ts'
import { addWebhookResponses } from './migrations/048-webhook-responses.ts'
import { createZoneRepositoryTables } from './migrations/036-zone-repositories.ts'

type Step = (tables: Kysely<unknown>, flavour: Flavour) => Promise<void>

/**
 * Every change of the tables there ever was, in order. What a released version has run is never
 * edited, only followed by another.
 */
const steps: Readonly<Record<string, Step>> = {
  '001-first-tables': createFirstTables,
  '002-access': createAccessTables,
  '003-traffic': createTrafficTables,
  '004-logs': createLogTable,
  '005-media-facts': createMediaFactsTable,
  '006-webhooks': createWebhookTables,
  '007-vectors': createVectorTable,
  '008-certificates': addCertificateColumns,
  '010-edges': createEdgeTables,
  '012-picture-texts': addImageTexts,
  '014-kept-certificates': createCertificateTables,
  '015-cluster': createClusterTables,
  '016-zone-commits': addZoneCommits,
  '017-proven-domains': addProofOfDomains,
  '018-log-levels': indexLogLevels,
  '019-staged-uploads': createStagedUploadTable,
  '020-upload-grants': createUploadGrantTables,
  '021-asset-metadata': addAssetMetadata,
  '022-file-locks': createFileLockTable,
  '023-past-assets': createPastAssetTables,
  '024-embedded-metadata': createEmbeddedMetadataTable,
  '025-announced-expiries': createAnnouncedExpiries,
  '026-signing-tokens': addSigningTokens,
  '027-zone-histories': addZoneHistories,
  '028-upload-parts': createUploadPartTable,
  '029-object-versions': createObjectVersionTables,
  '030-content-digests': createContentDigestTable,
  '031-previews': createPreviewTable,
  '034-kept-past': createKeptPastTable,
  '035-erasures': createErasureTables,
  '036-zone-repositories': createZoneRepositoryTables,
  '037-preview-packs': addPreviewPacks,
  '038-zone-transforms': addZoneTransforms,
  '039-image-likenesses': createImageLikenessTable,
  '040-zone-retentions': addZoneRetentions,
  '041-released-blobs': createReleasedBlobTable,
  '042-zone-rules': addZoneRules,
  '043-traffic-series': createTrafficSeries,
  '044-people': createPeopleTables,
  '045-traffic-hours': createTrafficHours,
  '046-notifications': createNotificationTables,
  '047-sightings': createSightingTables,
  '048-webhook-responses': addWebhookResponses,
  '049-usage': createUsageTable,
  '050-zone-quotas': createZoneQuotaTable,
  '051-image-summaries': addImageSummaries,
}

export const migrationsFor = (flavour: Flavour): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, { up: (db) => step(db, flavour) }]),
  )

/** Whether this version knows the step, so that rows of that form can be brought to the newest. */
export const isKnownMigration = (name: string): boolean => Object.hasOwn(steps, name)
