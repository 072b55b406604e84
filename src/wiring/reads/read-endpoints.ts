import { SqlAuditLog } from '../../adapters/sql/content/sql-audit-log.ts'
import { SqlMediaFactsStore } from '../../adapters/sql/media/sql-media-facts-store.ts'
import { SqlPastAssets } from '../../adapters/sql/past/sql-past-assets.ts'
import { SqlTrafficStore } from '../../adapters/sql/traffic/sql-traffic-store.ts'
import { createFileReader } from '../../domain/content/delivered/published-bytes.ts'
import { createFormerNames } from '../../domain/content/files/former-names.ts'
import { createFieldsShown } from '../../domain/content/metadata/zone-fields.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Search } from '../../domain/search/search.ts'
import { type Endpoint, endpoints } from '../../http/operation.ts'
import { getAssetMetadata } from '../../planes/assets/asset-metadata.ts'
import { listAssets } from '../../planes/assets/listed/list-assets.ts'
import { listFolders } from '../../planes/assets/listed/list-folders.ts'
import { listAuditLogs } from '../../planes/core/audit-logs.ts'
import { domainReadings } from '../../planes/core/domains.ts'
import { explainRules } from '../../planes/core/explain-rules.ts'
import { getRules } from '../../planes/core/rules.ts'
import { getStatistics } from '../../planes/core/statistics.ts'
import { getZoneFields } from '../../planes/core/zone-fields.ts'
import { zoneReadings } from '../../planes/core/zones.ts'
import { insightsReports } from '../../planes/insights/operations.ts'
import { searchOperation } from '../../planes/search/search.ts'
import { getFile } from '../../planes/storage/read-file.ts'
import type { RuleFileName } from '../../ports/records/zone.ts'
import type { openIdentities } from '../access/access.ts'
import { isPreviewAt } from '../delivery/host-purposes.ts'
import { reportsOf } from '../insights.ts'
import { afterwards } from './afterwards.ts'
import { createPastEndpoints } from './past-endpoints.ts'
import type { ReadParts, ReadWorld } from './read-parts.ts'
import { createZoneRecords, type ZoneRecords } from './zone-records.ts'

interface Opened extends ReadParts {
  readonly identities: Awaited<ReturnType<typeof openIdentities>>
  /** Absent where only the node that writes may search. */
  readonly search: Search | undefined
}

/** Every operation that any node answers, with what this one answers it from. */
export function createReadEndpoints(world: ReadWorld, opened: Opened): readonly Endpoint[] {
  const { database, catalog, replica } = opened
  const shownSeq = () => replica.position?.seq ?? 0
  const records = createZoneRecords({ database, catalog, shownSeq })
  return [
    ...catalogEndpoints(world, opened),
    ...zoneEndpoints(world, opened, records),
    ...createPastEndpoints(world, { ...opened, records }),
    ...recordEndpoints(world, opened),
    ...(opened.search === undefined
      ? []
      : [searchOperation.endpoint({ search: opened.search, baseUrl: world.config.baseUrl })]),
  ]
}

/** From what the node follows, and the blobs that all of them have. */
function catalogEndpoints(
  { config, now }: ReadWorld,
  { database, catalog, replica, media: { media, streams }, blobs }: Opened,
): readonly Endpoint[] {
  const ofPreview = refusePreview
  const facts = new SqlMediaFactsStore(database)
  return [
    listAssets.endpoint({ catalog, now }),
    listFolders.endpoint({ catalog }),
    getAssetMetadata.endpoint({
      catalog,
      ofPreview,
      media: {
        known: (sha256) => facts.find(sha256),
        find: async (...asked) =>
          (await facts.find(asked[0].sha256)) ?? (await media.find(...asked)),
      },
      streams,
      baseUrl: config.baseUrl,
      now,
    }),
    getFile.endpoint({
      catalog,
      ofPreview,
      reader: createFileReader(blobs),
      erased: replica.published,
    }),
  ]
}

/** What is of a preview is not read here: see `isOfPreview`. */
async function refusePreview(): Promise<never> {
  throw new ServiceError('Unavailable', 'No node may write at this moment')
}

/** Zones, their rules and host names. */
function zoneEndpoints(
  { config, now }: ReadWorld,
  { catalog, replica }: Opened,
  records: ZoneRecords,
): readonly Endpoint[] {
  const { catalog: published, domains, keepCurrent } = records
  const { baseUrl, cnameTarget, previewHost } = config
  const shown = {
    published: {
      zone: (name: string) => published.zone(name),
      ruleFile: (name: RuleFileName) => catalog.ruleFile(name),
    },
    zoneOfHost: (hostname: string) => domains.zoneOfHost(hostname),
    now,
  }
  const fields = createFieldsShown({ published })
  const isPreview = isPreviewAt({ previewHost, manifest: replica.published, now })
  return [
    ...afterwards(
      [
        ...endpoints(zoneReadings, { ...records, baseUrl }),
        getZoneFields.endpoint({ fields }),
        getRules.endpoint(shown),
        explainRules.endpoint(shown),
      ],
      keepCurrent,
    ),
    ...afterwards(
      endpoints(domainReadings, { domains, published, isPreview, cnameTarget, baseUrl }),
      () => Promise.all([keepCurrent(), records.readDomains()]),
    ),
  ]
}

/** From the database: what was counted, as far as it is stored, and what was done. */
function recordEndpoints({ now }: ReadWorld, opened: Opened): readonly Endpoint[] {
  const { database, catalog, identities } = opened
  const counted = {
    ...reportsOf({ database }, new SqlTrafficStore(database), now),
    flushTraffic: async () => {},
    formerNames: createFormerNames({ past: new SqlPastAssets(database), published: catalog }),
    now,
  }
  return [
    ...endpoints(insightsReports, counted),
    getStatistics.endpoint(counted),
    listAuditLogs.endpoint({
      audit: new SqlAuditLog(database),
      published: catalog,
      ...identities,
      now,
    }),
  ]
}
