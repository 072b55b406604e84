import { useOperation } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { StatusBadge } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import { csvUrl, inLogs, type Report } from './chosen-period.ts'
import { BarRow, ListHeading } from './visitors.tsx'

const shown = 10

/** What requests were answered with, and how many of the dashboard's own are left out everywhere. */
export function Statuses({ report }: { readonly report: Report }) {
  const found = useOperation('getStatuses', { ...report, limit: shown }, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading title={t('Status')} csv={csvUrl('statuses', { ...report, limit: 100 })} />
      <QueryResult query={found} label={t('The statuses are loading')}>
        {({ Statuses: rows, LeftOut }) => (
          <>
            {rows.length === 0 && <p className="fine-print">{t('No requests in this period.')}</p>}
            <ol className="bars">
              {rows.map(({ StatusCode, Requests, Bytes }) => (
                <BarRow
                  key={StatusCode}
                  requests={Requests}
                  bytes={Bytes}
                  most={rows[0]?.Requests ?? 1}
                >
                  <Link page="logs" search={inLogs(report, `status:${StatusCode}`)}>
                    <StatusBadge status={StatusCode} />
                  </Link>
                </BarRow>
              ))}
            </ol>
            {LeftOut > 0 && (
              <p className="fine-print">
                {plural(LeftOut, {
                  one: 'Left out everywhere on this page: {count} request of the dashboard itself.',
                  other:
                    'Left out everywhere on this page: {count} requests of the dashboard itself.',
                })}
              </p>
            )}
          </>
        )}
      </QueryResult>
    </section>
  )
}
