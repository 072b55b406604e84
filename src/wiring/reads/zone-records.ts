import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { createLookUps } from '../../domain/content/domains/domain-look-ups.ts'
import type { ZonesShown } from '../../planes/core/zones.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'

interface Opened {
  readonly database: Database
  readonly catalog: Catalog
  /** The number of the feed that the catalogue shows. */
  readonly shownSeq: () => number
}

/** Zones and their host names as the database has them: of both, who follows is told what delivering takes. */
export function createZoneRecords({ database, catalog, shownSeq }: Opened) {
  const store = new SqlPublicationStore(database)
  const domainStore = new SqlDomainStore(database)
  let [zoneByName, knownSeq] = [new Map<string, ZoneRecord>(), -1]
  let domainsByHost = new Map<string, DomainRecord>()
  const zone = (name: string) => zoneByName.get(name)
  const shown: Pick<ZonesShown, 'catalog' | 'domains'> = {
    catalog: {
      zone,
      zones: () => [...zoneByName.values()],
      zoneFiles: (name) => catalog.zoneFiles(name),
      zoneSummary: (name) => catalog.zoneSummary(name),
    },
    domains: { listOf: (name) => createLookUps(domainsByHost, { zone }).listOf(name) },
  }
  return {
    ...shown,
    /** Reads what is not as new as the catalogue. */
    keepCurrent: async (): Promise<void> => {
      const seq = shownSeq()
      if (seq <= knownSeq) return
      const [zones, domains] = await Promise.all([store.zones(), domainStore.list()])
      if (seq <= knownSeq) return
      zoneByName = new Map(zones.map((each) => [each.name, each]))
      domainsByHost = new Map(domains.map((each) => [each.hostname, each]))
      knownSeq = seq
    },
  }
}
