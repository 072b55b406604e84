import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { createLookUps } from '../../domain/content/domains/domain-look-ups.ts'
import { proofOf } from '../../domain/content/domains/domain-proof.ts'
import { zoneNotFound } from '../../domain/errors.ts'
import type { DomainsShown } from '../../planes/core/domains.ts'
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
export interface ZoneRecords {
  readonly catalog: ZonesShown['catalog']
  readonly domains: DomainsShown['domains']
  /** Reads what is not as new as the catalogue. */
  readonly keepCurrent: () => Promise<void>
  /** Reads the host names: what becomes of their certificates is not always in the feed. */
  readonly readDomains: () => Promise<void>
}

export function createZoneRecords({ database, catalog, shownSeq }: Opened): ZoneRecords {
  const store = new SqlPublicationStore(database)
  const domainStore = new SqlDomainStore(database)
  let [zoneByName, knownSeq] = [new Map<string, ZoneRecord>(), -1]
  let domainsByHost = new Map<string, DomainRecord>()
  const reads = { begun: 0, shown: 0 }
  const zone = (name: string) => zoneByName.get(name)
  const look = () => createLookUps(domainsByHost, { zone })

  /** Of several at once, what was asked last is shown. */
  async function readDomains(): Promise<void> {
    reads.begun += 1
    const { begun } = reads
    const domains = await domainStore.list()
    if (begun < reads.shown) return
    domainsByHost = new Map(domains.map((each) => [each.hostname, each]))
    reads.shown = begun
  }

  return {
    catalog: {
      zone,
      zones: () => [...zoneByName.values()],
      zoneFiles: (name) => catalog.zoneFiles(name),
      zoneSummary: (name) => catalog.zoneSummary(name),
    },
    domains: {
      all: () => look().all(),
      find: (name, hostname) => look().find(name, hostname),
      listOf: (name) => look().listOf(name),
      zoneOfHost: (hostname) => look().zoneOfHost(hostname),
      proofOf({ zone: name, hostname }) {
        const record = zone(name)
        if (record === undefined) throw zoneNotFound(name)
        return proofOf(record, hostname)
      },
    },
    async keepCurrent() {
      const seq = shownSeq()
      if (seq <= knownSeq) return
      const [zones] = await Promise.all([store.zones(), readDomains()])
      if (seq <= knownSeq) return
      zoneByName = new Map(zones.map((each) => [each.name, each]))
      knownSeq = seq
    },
    readDomains,
  }
}
