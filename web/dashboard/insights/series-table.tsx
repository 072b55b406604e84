import { t } from '../language/text.ts'
import { chartTimes } from '../parts/chart/chart-times.ts'
import { humanBytes, humanMilliseconds, humanNumber } from '../parts/format.ts'
import type { Series, SeriesTotals } from './chosen-period.ts'

/** All figures of the charts in words, for whoever does not see them. */
export const SeriesTable = ({ series }: { readonly series: Series }) => (
  <details className="chart-table">
    <summary>{t('Show as a table')}</summary>
    <div
      className="series-table"
      tabIndex={0}
      role="region"
      aria-label={t('Figures of the charts')}
    >
      <Rows series={series} />
    </div>
  </details>
)

function Rows({ series: { Period, Points, Totals } }: { readonly series: Series }) {
  const { full } = chartTimes(Period.Step, Period.TimeZone)
  return (
    <table className="formats">
      <caption className="hidden-text">{t('Traffic over time')}</caption>
      <thead>
        <tr>
          <th>{t('Time')}</th>
          <th>{t('Requests')}</th>
          <th>{t('From the cache')}</th>
          <th>{t('Bandwidth')}</th>
          <th>{t('4xx')}</th>
          <th>{t('5xx')}</th>
          <th>{t('95 % within')}</th>
          <th>{t('Transforms')}</th>
        </tr>
      </thead>
      <tbody>
        {Points.map((point) => (
          <Row key={point.From} name={full(Date.parse(point.From))} totals={point} />
        ))}
        <Row name={t('All')} totals={Totals} />
      </tbody>
    </table>
  )
}

const Row = ({ name, totals }: { readonly name: string; readonly totals: SeriesTotals }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{humanNumber(totals.Requests)}</td>
    <td>{humanNumber(totals.CacheHit)}</td>
    <td>{humanBytes(totals.Bytes)}</td>
    <td>{humanNumber(totals.Status['4xx'])}</td>
    <td>{humanNumber(totals.Status['5xx'])}</td>
    <td>{totals.Latency === null ? '–' : humanMilliseconds(totals.Latency.P95)}</td>
    <td>{humanNumber(totals.Transforms)}</td>
  </tr>
)
