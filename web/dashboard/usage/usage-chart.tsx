import { useId } from 'react'

import { t } from '../language/text.ts'
import { BarChart } from '../parts/chart/bar-chart.tsx'
import { chartTimes } from '../parts/chart/chart-times.ts'
import { ChartLegend } from '../parts/chart/chart-legend.tsx'
import { MetricTabs } from '../parts/chart/metric-tabs.tsx'
import { useSearch } from '../router.tsx'
import type { Usage } from './chosen-usage.ts'
import { DayTable } from './day-table.tsx'
import { type UsageMetric, usageMetrics } from './usage-metrics.ts'

/** What both periods have in sum and by day. */
type Sums = Pick<Usage, 'Totals' | 'Daily'>

interface UsageChartProps {
  readonly usage: Usage
  /** The period before; left out where nothing is kept of it, and while it loads. */
  readonly former: Sums | undefined
}

/** The figures as tabs, each with its chart by day. */
export function UsageChart({ usage, former }: UsageChartProps) {
  const [search, change] = useSearch()
  const id = useId()
  const [first] = usageMetrics
  const metric = usageMetrics.find((each) => each.id === search['metric']) ?? first
  return (
    <section className="card metric-card" aria-label={t('By day')}>
      <MetricTabs
        id={id}
        tabs={usageMetrics.map((each) => ({
          id: each.id,
          name: each.name,
          value: each.format(each.wholeOf(usage.Totals)),
          change: changeOf(each, usage, former),
        }))}
        selected={metric.id}
        onSelect={(next) => change({ metric: next === first.id ? undefined : next })}
      />
      <div
        className="metric-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${metric.id}`}
      >
        <DayChart metric={metric} usage={usage} former={former} />
        <DayTable days={usage.Daily} totals={usage.Totals} />
      </div>
    </section>
  )
}

function changeOf(metric: UsageMetric, usage: Sums, former: Sums | undefined): number | undefined {
  const before = former === undefined ? 0 : metric.wholeOf(former.Totals)
  return before === 0 ? undefined : metric.wholeOf(usage.Totals) / before - 1
}

interface DayChartProps extends UsageChartProps {
  readonly metric: UsageMetric
}

function DayChart({ metric, usage, former }: DayChartProps) {
  const { title, series, format } = metric
  const bars = usage.Daily.map((day, place) => {
    const before = former?.Daily[place]
    return {
      from: Date.parse(day.Date),
      values: metric.valuesOf(day),
      former: before === undefined ? null : metric.wholeOf(before),
    }
  })
  const most = Math.max(0, ...bars.flatMap((bar) => [sumOf(bar.values), bar.former ?? 0]))
  const formerName = former === undefined ? undefined : t('The month before')
  return (
    <>
      <div className="chart-notes">
        <h2>{title}</h2>
        <p className="fine-print">{t('Days are UTC')}</p>
      </div>
      <ChartLegend series={series} formerName={formerName} />
      <BarChart
        label={t('{title}. Arrow keys go through the days.', { title })}
        bars={bars}
        series={series}
        isStacked
        top={metric.topOf(most)}
        formatValue={format}
        times={chartTimes('day', 'UTC')}
        formerName={formerName}
      />
    </>
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)
