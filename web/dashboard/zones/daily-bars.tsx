import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { BarChart } from '../parts/chart/bar-chart.tsx'
import { chartTimes } from '../parts/chart/chart-times.ts'
import { countScaleTop } from '../parts/chart/scale.ts'
import { humanBytes, humanDay, humanNumber } from '../parts/format.ts'

type Day = ResponseOf<'getStatistics'>['Daily'][number]

/** Requests of each day as bars, and the same as a table. */
export function DailyBars({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(0, ...days.map(({ TotalRequests }) => TotalRequests))
  return (
    <>
      <div className="bar-chart-small">
        <BarChart
          label={t('Requests by day, in UTC. Arrow keys go through the bars.')}
          bars={days.map((each) => ({
            from: Date.parse(`${each.Date}T00:00:00Z`),
            values: [each.TotalRequests],
          }))}
          series={[{ name: 'Requests', tone: 'accent' }]}
          isStacked
          top={countScaleTop(most)}
          formatValue={humanNumber}
          times={chartTimes('day', 'UTC')}
        />
      </div>
      <details className="chart-table">
        <summary>{t('Show as a table')}</summary>
        <DayTable days={days} />
      </details>
    </>
  )
}

const DayTable = ({ days }: { readonly days: readonly Day[] }) => (
  <table className="formats">
    <caption className="hidden-text">{t('Requests by day')}</caption>
    <thead>
      <tr>
        <th>{t('Day')}</th>
        <th>{t('Requests')}</th>
        <th>{t('Bandwidth')}</th>
      </tr>
    </thead>
    <tbody>
      {days.map(({ Date: day, TotalRequests, Bandwidth }) => (
        <tr key={day}>
          <td>{humanDay(day)}</td>
          <td>{humanNumber(TotalRequests)}</td>
          <td>{humanBytes(Bandwidth)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
