import type { AuditRecord } from '../../../ports/records/audit.ts'

/** The zones a record tells of; none where it is about what all share. */
export function zonesOf({ action, target, meta }: AuditRecord): readonly string[] {
  const { zone, zones } = meta
  if (Array.isArray(zones)) return zones.map(String)
  if (typeof zone === 'string') return [zone]
  if (action === 'storage.batch') return target.split(',')
  return /^(?:storage|zone)\./u.test(action) ? [target.split('/')[0] ?? ''] : []
}
