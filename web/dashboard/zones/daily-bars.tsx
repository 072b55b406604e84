import type { ResponseOf } from '../../../src/client/types.ts'
import { humanBytes, humanDay, humanNumber } from '../parts/format.ts'

type Day = ResponseOf<'getStatistics'>['Daily'][number]

const heightPx = 48
const stepPx = 12
const barPx = 9

/** Requests of each day as bars, and the same as a table. */
export function DailyBars({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ TotalRequests }) => TotalRequests))
  const sum = days.reduce((total, { TotalRequests }) => total + TotalRequests, 0)
  return (
    <>
      <svg
        className="hourly daily"
        viewBox={`0 0 ${days.length * stepPx} ${heightPx}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${humanNumber(sum)} requests in ${days.length} days, at most ${humanNumber(most)} in a day`}
      >
        {days.map(({ Date: day, TotalRequests }, index) => {
          const height = Math.max(0.75, (TotalRequests / most) * heightPx)
          return (
            <rect
              key={day}
              x={index * stepPx + 1}
              width={barPx}
              y={heightPx - height}
              height={height}
              className={TotalRequests > 0 ? 'hourly-bar' : 'hourly-none'}
            >
              <title>{`${humanDay(day)}: ${humanNumber(TotalRequests)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="spread fine-print">
        <span>{humanDay(days[0]?.Date ?? '')}</span>
        <span>{humanDay(days.at(-1)?.Date ?? '')}, UTC</span>
      </p>
      <details className="chart-table">
        <summary>Show as a table</summary>
        <DayTable days={days} />
      </details>
    </>
  )
}

const DayTable = ({ days }: { readonly days: readonly Day[] }) => (
  <table className="formats">
    <caption className="hidden-text">Requests by day</caption>
    <thead>
      <tr>
        <th>Day</th>
        <th>Requests</th>
        <th>Bandwidth</th>
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
