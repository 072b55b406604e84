import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Link } from '../router.tsx'
import type { Report } from './today-chart.tsx'

const shown = 10

export function TopAssets({ report }: { readonly report: Report }) {
  const top = useOperation('getTopAssets', { ...report, limit: shown }, { keepsPrevious: true })
  return (
    <section className="card">
      <h2>Most asked for</h2>
      <QueryResult query={top} label="The assets are loading">
        {({ Assets }) =>
          Assets.length === 0 ? (
            <p className="fine-print">Nothing was asked for in this period.</p>
          ) : (
            <ol className="bars">
              {Assets.map(({ Path, Requests, Bytes }) => (
                <li key={Path}>
                  <Link page="assets" search={{ asset: Path }}>
                    {Path}
                  </Link>
                  <span className="fine-print">
                    {humanNumber(Requests)}, {humanBytes(Bytes)}
                  </span>
                  <meter min={0} max={Assets[0]?.Requests ?? 1} value={Requests}>
                    {Requests}
                  </meter>
                </li>
              ))}
            </ol>
          )
        }
      </QueryResult>
    </section>
  )
}
