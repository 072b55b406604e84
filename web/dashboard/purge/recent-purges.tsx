import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Moment } from '../parts/inline.tsx'

type Entry = ResponseOf<'listAuditLogs'>['Entries'][number]

/** What was purged last, by whoever it was. */
export function RecentPurges() {
  const { data } = useOperation('listAuditLogs', { action: 'purge', days: 30, limit: 10 })
  const entries = data?.Entries ?? []
  if (entries.length === 0) return null
  return (
    <section className="card">
      <h2>{t('Recent purges')}</h2>
      <ul className="entries">
        {entries.map((entry) => (
          <li key={`${entry.timestamp} ${entry.requestId}`}>
            <div>
              <p>{itemsOf(entry)}</p>
            </div>
            <span className="fine-print">
              <Moment time={entry.timestamp} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const shown = 3

function itemsOf({ meta }: Entry): string {
  const items = [meta['urls'], meta['tags']].flatMap((each) => (Array.isArray(each) ? each : []))
  if (items.length === 0) return t('Everything')
  const rest = items.length - shown
  const first = items.slice(0, shown).join(', ')
  return rest > 0 ? t('{items} and {rest} more', { items: first, rest }) : first
}
