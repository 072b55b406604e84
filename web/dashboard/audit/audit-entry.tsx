import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Link } from '../router.tsx'

export type AuditEntry = ResponseOf<'listAuditLogs'>['Entries'][number]

const nameByKey: Readonly<Record<string, string>> = {
  'access-key': t('Access key'),
  'account-key': t('Account key'),
  'purge-key': t('Purge key'),
  'analytics-key': t('Analytics key'),
}

/** Who did it, as people say it, and the way to what else they did. */
export const WhoLink = ({ by, actor }: Pick<AuditEntry, 'by' | 'actor'>) => (
  <Link page="audit" search={{ actor: by?.name ?? actor, days: '90' }}>
    {by?.name ?? nameByKey[actor] ?? (by?.kind === 'session' ? t('Session') : actor)}
  </Link>
)

export const ZoneLinks = ({ zones }: { readonly zones: readonly string[] }) => (
  <span className="zone-links">
    {zones.map((zone) => (
      <Link key={zone} page="zone" search={{ zone }}>
        {zone}
      </Link>
    ))}
  </span>
)
