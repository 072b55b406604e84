import { useId } from 'react'

import { t } from '../language/text.ts'
import { BarChart } from '../parts/chart/bar-chart.tsx'
import { ChartLegend } from '../parts/chart/chart-legend.tsx'
import { chartTimes } from '../parts/chart/chart-times.ts'
import { MetricTabs } from '../parts/chart/metric-tabs.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Link, useSearch } from '../router.tsx'
import {
  type Chosen,
  csvUrl,
  seriesInput,
  type Series,
  type SeriesTotals,
} from './chosen-period.ts'
import { changeOf, type Metric, metrics, wholeText } from './metrics.ts'
import { SeriesTable } from './series-table.tsx'

interface TrafficProps {
  readonly series: Series
  readonly chosen: Chosen
  readonly onZoom: (from: string, to: string) => void
  readonly onZoomOut: () => void
}

/** The figures of the period as tabs, each with its chart. */
export function Traffic({ series, chosen, onZoom, onZoomOut }: TrafficProps) {
  const [search, change] = useSearch()
  const id = useId()
  const metric = metrics.find((each) => each.id === search['metric']) ?? metrics[0]
  return (
    <section className="card metric-card" aria-label={t('Traffic')}>
      <MetricTabs
        id={id}
        tabs={metrics.map((each) => ({
          id: each.id,
          name: each.name,
          value: wholeText(each, series.Totals),
          change: changeOf(each, series.Totals, series.Former?.Totals),
        }))}
        selected={metric.id}
        onSelect={(next) => change({ metric: next === metrics[0].id ? undefined : next })}
      />
      <div
        className="metric-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${metric.id}`}
      >
        {series.Totals.Requests === 0 ? (
          <NoTraffic zone={chosen.zone} />
        ) : (
          <MetricChart metric={metric} series={series} onZoom={onZoom} />
        )}
        <div className="chart-notes">
          <SeriesTable series={series} />
          <div className="row">
            {chosen.from !== undefined && <Button onClick={onZoomOut}>{t('Zoom out')}</Button>}
            <a href={csvUrl('series', seriesInput(chosen))} download="traffic.csv">
              {t('Download as CSV')}
            </a>
          </div>
        </div>
      </div>
    </section>
  )
}

interface MetricChartProps extends Pick<TrafficProps, 'series' | 'onZoom'> {
  readonly metric: Metric
}

function MetricChart({ metric, series, onZoom }: MetricChartProps) {
  const { Period, Points, Former } = series
  const bars = Points.map((point, place) => {
    const before = Former?.Points[place]
    return {
      from: Date.parse(point.From),
      values: metric.valuesOf(point),
      former: before === undefined ? null : formerOf(metric, before),
    }
  })
  const formerName = Former === null ? undefined : t('The period before')
  const most = Math.max(
    0,
    ...bars.flatMap(({ values, former }) => [drawnOf(metric, values) ?? 0, former ?? 0]),
  )
  return (
    <>
      <div className="chart-notes">
        <h2>{metric.title}</h2>
        <p className="fine-print">{t('Times in {timeZone}', { timeZone: Period.TimeZone })}</p>
      </div>
      <ChartLegend series={metric.series} formerName={formerName} />
      <BarChart
        label={t(
          '{title}. Arrow keys go through the bars, Shift marks some, Enter shows them alone.',
          { title: metric.title },
        )}
        bars={bars}
        series={metric.series}
        isStacked={metric.isStacked}
        top={metric.topOf(most)}
        formatValue={metric.format}
        times={chartTimes(Period.Step, Period.TimeZone)}
        formerName={formerName}
        onZoom={(first, last) =>
          onZoom(Points[first]?.From ?? Period.From, Points[last + 1]?.From ?? Period.To)
        }
      />
    </>
  )
}

/** Of bars that are not stacked, such as latencies, that of the figure on the card. */
const formerOf = (metric: Metric, before: SeriesTotals): number | null =>
  metric.isStacked ? drawnOf(metric, metric.valuesOf(before)) : metric.wholeOf(before)

/** How high a bar is. */
function drawnOf({ isStacked }: Metric, values: readonly (number | null)[]): number | null {
  if (values.every((value) => value === null)) return null
  if (isStacked) return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  return Math.max(...values.map((value) => value ?? 0))
}

const NoTraffic = ({ zone }: { readonly zone: string }) => (
  <EmptyState icon="chart" title={t('No requests in this period')}>
    <p>{t('Open the URL of an asset, or show it on a page: it is here a few seconds later.')}</p>
    <Link page="assets" search={zone === '' ? {} : { zone }} className="button">
      {t('Choose an asset')}
    </Link>
  </EmptyState>
)
