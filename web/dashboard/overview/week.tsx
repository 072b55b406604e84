import { type Series, useSeries } from '../insights/chosen-period.ts'
import { t } from '../language/text.ts'
import { BarChart } from '../parts/chart/bar-chart.tsx'
import { chartTimes, ownTimeZone } from '../parts/chart/chart-times.ts'
import { countScaleTop } from '../parts/chart/scale.ts'
import { humanNumber } from '../parts/format.ts'
import { Link, goTo } from '../router.tsx'

/** What was delivered in 7 days, today among them, by the hour. */
export const useWeek = () => useSeries({ period: '7d', step: 'hour', timeZone: ownTimeZone() }).data

/** Requests hour by hour of the same days as the figures above; the page of insights says more. */
export function WeekOfTraffic() {
  const week = useWeek()
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Requests by the hour')}</h2>
        <Link page="insights" search={{ period: '7d' }}>
          {t('All insights')}
        </Link>
      </div>
      <p className="fine-print">{t('The last 7 days; times in {zone}', { zone: ownTimeZone() })}</p>
      {week !== undefined && <WeekChart week={week} />}
    </section>
  )
}

function WeekChart({ week: { Points, Period } }: { readonly week: Series }) {
  const most = Math.max(0, ...Points.map(({ Requests }) => Requests))
  return (
    <div className="bar-chart-small">
      <BarChart
        label={t(
          'Requests by the hour. Arrow keys go through the bars, Shift marks some, Enter opens them in Insights.',
        )}
        bars={Points.map(({ From, Requests }) => ({ from: Date.parse(From), values: [Requests] }))}
        series={[{ name: t('Requests'), tone: 'accent' }]}
        isStacked
        top={countScaleTop(most)}
        formatValue={humanNumber}
        times={chartTimes(Period.Step, Period.TimeZone)}
        onZoom={(first, last) =>
          goTo('insights', {
            from: Points[first]?.From,
            to: Points[last + 1]?.From ?? Period.To,
          })
        }
      />
    </div>
  )
}
