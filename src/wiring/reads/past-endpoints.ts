import { SqlPastAssets } from '../../adapters/sql/past/sql-past-assets.ts'
import { createAssetHistory } from '../../domain/content/files/asset-history.ts'
import { createDeletedList } from '../../domain/content/files/deleted-files.ts'
import { createZoneDifferences } from '../../domain/content/past/zone-differences.ts'
import { createZoneHistory } from '../../domain/content/past/zone-history.ts'
import { createRuleVersions } from '../../domain/content/rules/rule-versions.ts'
import { type Endpoint, endpoints } from '../../http/operation.ts'
import { assetHistoryReadings } from '../../planes/assets/asset-history.ts'
import { listDeletedAssets } from '../../planes/assets/deleted-assets.ts'
import { getZoneDifferences } from '../../planes/core/past/zone-differences.ts'
import { getZoneHistory } from '../../planes/core/past/zone-history.ts'
import { ruleVersionOperations } from '../../planes/core/rule-versions.ts'
import { afterwards } from './afterwards.ts'
import type { ReadParts, ReadWorld } from './read-parts.ts'
import { openRepositoryReads } from './repository-reads.ts'
import type { ZoneRecords } from './zone-records.ts'

interface Opened extends Pick<ReadParts, 'database' | 'repository' | 'opening'> {
  readonly records: ZoneRecords
}

/** What was there before, from the copy of the repository and from the database. */
export function createPastEndpoints(world: ReadWorld, opened: Opened): readonly Endpoint[] {
  const { database, records } = opened
  const { past: content, keepCurrent } = openRepositoryReads(world, opened)
  const { now } = world
  const published = records.catalog
  const ofRepository = [
    ...endpoints(assetHistoryReadings, { history: createAssetHistory({ content, published }) }),
    getZoneHistory.endpoint({ zoneHistory: createZoneHistory({ content, published }) }),
    getZoneDifferences.endpoint({
      zoneDifferences: createZoneDifferences({ content, published }),
    }),
    ...endpoints(ruleVersionOperations, { versions: createRuleVersions({ content, published }) }),
  ]
  const deleted = createDeletedList({ past: new SqlPastAssets(database), published, now })
  return [
    ...afterwards(ofRepository, () => Promise.all([records.keepCurrent(), keepCurrent()])),
    ...afterwards([listDeletedAssets.endpoint({ deleted, now })], records.keepCurrent),
  ]
}
