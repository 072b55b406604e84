import type { AuditLog } from '../../ports/content/audit-log.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

/** From when on, in milliseconds, what is logged is about the zone of today and not a former one of its name. */
export type ZoneBeginnings = ReadonlyMap<string, number>

interface Known {
  readonly audit: Pick<AuditLog, 'query'>
  readonly published: Pick<Manifest, 'zone'>
  /** Nothing older is looked at. */
  readonly since: Date
}

/** More than are kept. */
const maxDeletions = 1_000_000

/** Times of commits are whole seconds, so that the record of a deletion says more where there is one. */
export async function zoneBeginnings(
  zones: ReadonlySet<string>,
  { audit, published, since }: Known,
): Promise<ZoneBeginnings> {
  const deletions = await audit.query({ since, action: 'zone.delete', limit: maxDeletions })
  return new Map(
    [...zones].map((zone) => {
      const deleted = deletions.find(({ target }) => target === zone)
      const createdMs = published.zone(zone)?.createdAt.getTime() ?? Infinity
      return [zone, Math.max(createdMs, deleted === undefined ? 0 : deleted.at.getTime() + 1)]
    }),
  )
}
