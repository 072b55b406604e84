import { t } from '../language/text.ts'
import { humanDay } from '../parts/format.ts'
import type { UsageDay, UsageTotals } from './chosen-usage.ts'
import { type UsageCounts, usageMetrics } from './usage-metrics.ts'

interface DayTableProps {
  readonly days: readonly UsageDay[]
  readonly totals: UsageTotals
}

/** All figures of the charts in words, for whoever does not see them. */
export const DayTable = ({ days, totals }: DayTableProps) => (
  <details className="chart-table">
    <summary>{t('Show as a table')}</summary>
    <div
      className="series-table"
      tabIndex={0}
      role="region"
      aria-label={t('Figures of the charts')}
    >
      <table className="formats">
        <caption className="hidden-text">{t('Usage by day')}</caption>
        <thead>
          <tr>
            <th>{t('Day')}</th>
            {usageMetrics.map(({ id, name }) => (
              <th key={id}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <Row key={day.Date} name={humanDay(day.Date)} counts={day} />
          ))}
          <Row name={t('All')} counts={totals} />
        </tbody>
      </table>
    </div>
  </details>
)

const Row = ({ name, counts }: { readonly name: string; readonly counts: UsageCounts }) => (
  <tr>
    <th scope="row">{name}</th>
    {usageMetrics.map(({ id, wholeOf, format }) => (
      <td key={id}>{format(wholeOf(counts))}</td>
    ))}
  </tr>
)
