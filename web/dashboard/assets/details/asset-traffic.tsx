import { useState } from 'react'

import type { ResponseOf } from '../../../../src/client/types.ts'
import { useOperation } from '../../api/queries.ts'
import { plural, t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { humanBytes, humanDay, humanNumber } from '../../parts/format.ts'
import { Link } from '../../router.tsx'

type Report = ResponseOf<'getAssetInsights'>

const periods = [7, 30] as const

/** How often the asset was asked for, in sum and day by day, and from where. */
export function AssetTraffic({ path }: { readonly path: string }) {
  const [days, setDays] = useState<number>(30)
  const { data } = useOperation('getAssetInsights', { path, days }, { keepsPrevious: true })
  if (data === undefined) return null
  return (
    <section>
      <div className="spread">
        <h3>{t('Traffic')}</h3>
        <span className="row" role="group" aria-label={t('Period')}>
          {periods.map((each) => (
            <Button
              key={each}
              kind="quiet"
              aria-pressed={each === days}
              onClick={() => setDays(each)}
            >
              {plural(each, { one: '{count} day', other: '{count} days' })}
            </Button>
          ))}
        </span>
      </div>
      <Sums report={data} />
      {data.TotalRequests > 0 && <DayBars daily={data.Daily} />}
      {data.TotalRequests > 0 && <Referrers path={path} />}
      <p className="row past-links">
        <Link page="insights" search={{ days: String(days), zone: path.split('/')[0] }}>
          {t('Insights of the zone')}
        </Link>
        <Link page="logs" search={{ q: queryOf(path) }}>
          {t('Its requests in the log')}
        </Link>
      </p>
    </section>
  )
}

function Sums({ report }: { readonly report: Report }) {
  const refused = Object.values(report.Errors).reduce((sum, count) => sum + count, 0)
  const requests = plural(report.TotalRequests, {
    one: '{count} request',
    other: '{count} requests',
  })
  const days = plural(report.Period.Days, { one: '{count} day', other: '{count} days' })
  const bytes = humanBytes(report.TotalBandwidthBytes)
  return (
    <p>
      <strong>{requests}</strong>{' '}
      {refused === 0
        ? t('and {bytes} in {days}', { bytes, days })
        : plural(
            refused,
            {
              one: 'and {bytes} in {days}, {count} error',
              other: 'and {bytes} in {days}, {count} errors',
            },
            { bytes, days },
          )}
    </p>
  )
}

type Day = Report['Daily'][number]

const barHeight = 40

function DayBars({ daily }: { readonly daily: readonly Day[] }) {
  const most = Math.max(1, ...daily.map(({ Requests }) => Requests))
  return (
    <svg
      className="asset-traffic"
      viewBox={`0 0 ${daily.length * 4} ${barHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Requests by day, at most {most}', { most: humanNumber(most) })}
    >
      {daily.map(({ Date: day, Requests }, index) => {
        const height = Math.max(1, (Requests / most) * barHeight)
        return (
          <rect key={day} x={index * 4} y={barHeight - height} width={3} height={height}>
            <title>
              {t('{day}: {requests}', { day: humanDay(day), requests: humanNumber(Requests) })}
            </title>
          </rect>
        )
      })}
    </svg>
  )
}

/** What the request log is asked for. */
const queryOf = (path: string): string =>
  `path:/${path.split('/').map(encodeURIComponent).join('/')}`

const maxLines = 500
const shownReferrers = 5

/** Counted from the newest lines of the request log: nothing else knows of single assets where requests come from. */
function Referrers({ path }: { readonly path: string }) {
  const { data } = useOperation('listLogs', { q: queryOf(path), days: 7, limit: maxLines })
  const lines = data?.Entries ?? []
  if (lines.length === 0) return null
  const counts = new Map<string, number>()
  for (const { referrer } of lines) {
    const name = referrer ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const most = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, shownReferrers)
  return (
    <>
      <h4>
        {plural(lines.length, {
          one: 'Where the last request came from',
          other: 'Where the last {count} requests came from',
        })}
      </h4>
      <ul className="referrers">
        {most.map(([name, count]) => (
          <li key={name} className="spread">
            <span>{name === '' ? t('No page is named') : name}</span>
            <span>{humanNumber(count)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
