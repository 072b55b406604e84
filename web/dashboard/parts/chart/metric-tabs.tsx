import type { KeyboardEvent } from 'react'

import { t } from '../../language/text.ts'
import { humanChange } from '../format.ts'

export interface MetricTab {
  readonly id: string
  readonly name: string
  /** The figure of the whole period. */
  readonly value: string
  /** How it is to the time before: 0.12 is 12 % more; `undefined` where there was nothing. */
  readonly change: number | undefined
}

interface MetricTabsProps {
  /** Before the ids of tabs and their panel. */
  readonly id: string
  readonly tabs: readonly MetricTab[]
  /** The id of one of them. */
  readonly selected: string
  readonly onSelect: (id: string) => void
}

/** The figures, and how each is to the time before; one of them is shown below. */
export function MetricTabs({ id, tabs, selected, onSelect }: MetricTabsProps) {
  const byArrow = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const place = tabs.findIndex((tab) => tab.id === selected)
    const next = tabs.at((place + by) % tabs.length)
    if (next === undefined) return
    onSelect(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div className="metric-tabs" role="tablist" aria-label={t('Figures')} onKeyDown={byArrow}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          aria-controls={`${id}-panel`}
          aria-selected={tab.id === selected}
          tabIndex={tab.id === selected ? 0 : -1}
          className="metric-tab"
          onClick={() => onSelect(tab.id)}
        >
          <span>{tab.name}</span>
          <strong>{tab.value}</strong>
          <span className="metric-change">
            {tab.change === undefined
              ? t('nothing before')
              : t('{change} to before', { change: humanChange(tab.change) })}
          </span>
        </button>
      ))}
    </div>
  )
}
