import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge } from '../parts/inline.tsx'
import { humanNumber } from '../parts/format.ts'
import { Link } from '../router.tsx'
import type { Report } from './today-chart.tsx'

const pathsShown = 5

/** What was refused or failed, by status. */
export function ErrorTable({ report }: { readonly report: Report }) {
  const errors = useOperation('getErrors', report, { keepsPrevious: true })
  return (
    <section className="card">
      <h2>Refused or failed</h2>
      <QueryResult query={errors} label="The errors are loading">
        {({ Errors }) =>
          Errors.length === 0 ? (
            <p className="fine-print">Every request was answered.</p>
          ) : (
            <ol className="entries">
              {Errors.map(({ StatusCode, Count, TopPaths }) => (
                <li key={StatusCode}>
                  <div>
                    <p>
                      <Badge kind={StatusCode >= 500 ? 'bad' : 'warning'}>{StatusCode}</Badge>{' '}
                      {humanNumber(Count)}
                    </p>
                    <ul className="fine-print">
                      {TopPaths.slice(0, pathsShown).map(({ Path, Count: times }) => (
                        <li key={Path}>
                          <AskedFor path={Path} /> ({humanNumber(times)})
                        </li>
                      ))}
                    </ul>
                  </div>
                  {StatusCode === 404 && (
                    <Link page="rules" search={{ file: '_redirects' }} className="fine-print">
                      Add a redirect
                    </Link>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </QueryResult>
    </section>
  )
}

/** What may be, or may have been, an asset leads to it: its history may say where it went. */
const AskedFor = ({ path }: { readonly path: string }) =>
  /^[a-z0-9-]{1,64}\/v1\/./u.test(path) ? (
    <Link page="assets" search={{ asset: path }}>
      {path}
    </Link>
  ) : (
    path
  )
