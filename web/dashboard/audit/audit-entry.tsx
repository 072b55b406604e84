import type { ResponseOf } from '../../../src/client/types.ts'
import { Link } from '../router.tsx'

export type AuditEntry = ResponseOf<'listAuditLogs'>['Entries'][number]

export const ZoneLinks = ({ zones }: { readonly zones: readonly string[] }) => (
  <span className="zone-links">
    {zones.map((zone) => (
      <Link key={zone} page="zone" search={{ zone }}>
        {zone}
      </Link>
    ))}
  </span>
)
