import { useOperation } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { StatusBadge } from '../parts/inline.tsx'
import { conditionOf } from '../parts/log-condition.ts'
import { humanNumber } from '../parts/format.ts'
import { Link } from '../router.tsx'
import { csvUrl, inLogs, type Report } from './chosen-period.ts'
import { ListHeading } from './visitors.tsx'

const pathsShown = 5

/** What was refused or failed, by status. */
export function ErrorTable({ report }: { readonly report: Report }) {
  const errors = useOperation('getErrors', report, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading title={t('Errors')} csv={csvUrl('errors', report)} />
      <QueryResult query={errors} label={t('The errors are loading')}>
        {({ Errors }) =>
          Errors.length === 0 ? (
            <p className="fine-print">{t('No errors in this period.')}</p>
          ) : (
            <ol className="entries">
              {Errors.map(({ StatusCode, Count, TopPaths }) => (
                <li key={StatusCode} className="error-group">
                  <p>
                    <Link page="logs" search={inLogs(report, `status:${StatusCode}`)}>
                      <StatusBadge status={StatusCode} />
                    </Link>{' '}
                    {humanNumber(Count)}
                  </p>
                  <ul className="error-paths">
                    {TopPaths.slice(0, pathsShown).map(({ Path, Count: times }) => (
                      <li key={Path}>
                        <AskedFor path={Path} />
                        <Link
                          page="logs"
                          className="fine-print"
                          search={inLogs(
                            report,
                            `status:${StatusCode}`,
                            conditionOf('path', `/${Path}`),
                          )}
                          aria-label={plural(
                            times,
                            {
                              one: '{count} request for {path}, in the logs',
                              other: '{count} requests for {path}, in the logs',
                            },
                            { path: Path },
                          )}
                        >
                          {humanNumber(times)}
                        </Link>
                        {StatusCode === 404 && <MakeRedirect path={Path} />}
                      </li>
                    ))}
                  </ul>
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
  isOfAsset(path) ? (
    <Link page="assets" search={{ asset: path }}>
      {path}
    </Link>
  ) : (
    <span>{path}</span>
  )

const isOfAsset = (path: string): boolean => /^[a-z0-9-]{1,64}\/v1\/./u.test(path)

/** What has blanks or is of another host cannot be the beginning of a line. */
function MakeRedirect({ path }: { readonly path: string }) {
  if (/\s|^\//u.test(path)) return null
  const zone = path.split('/')[0] ?? ''
  const target = isOfAsset(path) ? `/${zone}/v1/` : '/'
  return (
    <Link
      page="rules"
      search={{ file: '_redirects', line: `/${path} ${target} 301` }}
      className="fine-print"
      aria-label={t('Make a redirect from {path}', { path })}
    >
      {t('Make a redirect')}
    </Link>
  )
}
