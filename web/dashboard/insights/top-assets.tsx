import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Link } from '../router.tsx'
import { csvUrl, type Report } from './chosen-period.ts'
import { BarRow, ListHeading } from './visitors.tsx'

const shown = 10

export function TopAssets({ report }: { readonly report: Report }) {
  const top = useOperation('getTopAssets', { ...report, limit: shown }, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading title={t('Top assets')} csv={csvUrl('top-assets', { ...report, limit: 100 })} />
      <QueryResult query={top} label={t('The assets are loading')}>
        {({ Assets }) =>
          Assets.length === 0 ? (
            <p className="fine-print">{t('No requests in this period.')}</p>
          ) : (
            <ol className="bars">
              {Assets.map(({ Path, Requests, Bytes }) => (
                <BarRow
                  key={Path}
                  requests={Requests}
                  bytes={Bytes}
                  most={Assets[0]?.Requests ?? 1}
                >
                  <Link page="assets" search={{ asset: Path }}>
                    {Path}
                  </Link>
                </BarRow>
              ))}
            </ol>
          )
        }
      </QueryResult>
    </section>
  )
}
