import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { HostRecord } from '../../../ports/edges/replica-store.ts'

/** All that is published, as the origin and every edge know it. */
export interface PublishedState extends Manifest {
  zones(): readonly ZoneRecord[]
  /** In path order. What is published later does not show in what was answered. */
  zoneFiles(zone: string): readonly AssetRecord[]
  host(hostname: string): HostRecord | undefined
  /** The host names of a zone's own, in byte order. */
  hostsOf(zone: string): readonly HostRecord[]
}
