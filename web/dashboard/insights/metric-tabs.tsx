import type { KeyboardEvent } from 'react'

import { t } from '../language/text.ts'
import { humanChange } from '../parts/format.ts'
import type { Series } from './chosen-period.ts'
import { changeOf, type Metric, metrics, wholeText } from './metrics.ts'

interface MetricTabsProps {
  /** Before the ids of tabs and their panel. */
  readonly id: string
  readonly series: Series
  readonly selected: Metric
  readonly onSelect: (metric: Metric) => void
}

/** The figures, and how each is to the time before; one of them is shown below. */
export function MetricTabs({ id, series, selected, onSelect }: MetricTabsProps) {
  const byArrow = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = metrics.at((metrics.indexOf(selected) + by) % metrics.length)
    if (next === undefined) return
    onSelect(next)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div className="metric-tabs" role="tablist" aria-label={t('Figures')} onKeyDown={byArrow}>
      {metrics.map((metric) => (
        <button
          key={metric.id}
          type="button"
          role="tab"
          id={`${id}-${metric.id}`}
          aria-controls={`${id}-panel`}
          aria-selected={metric === selected}
          tabIndex={metric === selected ? 0 : -1}
          className="metric-tab"
          onClick={() => onSelect(metric)}
        >
          <span>{metric.name}</span>
          <strong>{wholeText(metric, series.Totals)}</strong>
          <Change metric={metric} series={series} />
        </button>
      ))}
    </div>
  )
}

function Change({ metric, series }: { readonly metric: Metric; readonly series: Series }) {
  const change = changeOf(metric, series.Totals, series.Former?.Totals)
  return (
    <span className="metric-change">
      {change === undefined
        ? t('nothing before')
        : t('{change} to before', { change: humanChange(change) })}
    </span>
  )
}
