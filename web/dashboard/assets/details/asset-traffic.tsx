import type { ResponseOf } from '../../../../src/client/types.ts'
import { useOperation } from '../../api/queries.ts'
import { rich } from '../../language/rich-text.tsx'
import { plural, t } from '../../language/text.ts'
import { humanBytes, humanDay, humanNumber } from '../../parts/format.ts'
import { Link } from '../../router.tsx'

const days = 30

/** How often the asset was asked for, in sum and day by day. */
export function AssetTraffic({ path }: { readonly path: string }) {
  const { data } = useOperation('getAssetInsights', { path, days })
  if (data === undefined) return null
  const refused = Object.values(data.Errors).reduce((sum, count) => sum + count, 0)
  return (
    <section>
      <div className="spread">
        <h3>{t('Traffic')}</h3>
        <Link page="insights" search={{ days: String(days), zone: path.split('/')[0] }}>
          {t('Insights of the zone')}
        </Link>
      </div>
      <p>
        {rich('{totalRequests} {totalRequestsToo} and {totalBandwidthBytes} in {days} days', {
          totalRequests: <strong>{humanNumber(data.TotalRequests)}</strong>,
          totalRequestsToo: data.TotalRequests === 1 ? 'request' : 'requests',
          totalBandwidthBytes: <strong>{humanBytes(data.TotalBandwidthBytes)}</strong>,
          days,
        })}
        {refused > 0 && plural(refused, { one: ', {count} error', other: ', {count} errors' })}
      </p>
      {data.TotalRequests > 0 && <DayBars daily={data.Daily} />}
    </section>
  )
}

type Day = ResponseOf<'getAssetInsights'>['Daily'][number]

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
            <title>{`${humanDay(day)}: ${humanNumber(Requests)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
