import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Moment } from '../parts/inline.tsx'
import { Link } from '../router.tsx'

const shown = 6

/** What was done last, and by whom; nothing where one may not read the audit log. */
export function RecentChanges() {
  const audit = useOperation('listAuditLogs', { days: 30, limit: shown })
  const entries = audit.data?.Entries ?? []
  if (entries.length === 0) return null
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Recent changes')}</h2>
        <Link page="audit">{t('All changes')}</Link>
      </div>
      <ul className="recent-changes">
        {entries.map((entry, place) => (
          <li key={`${entry.timestamp} ${place}`}>
            <span title={entry.summary}>{entry.summary}</span>
            <span className="fine-print">
              <Moment time={entry.timestamp} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
