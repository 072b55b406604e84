import type { Answer } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { humanNumber, humanTime } from '../parts/format.ts'
import { Link } from '../router.tsx'

type Hour = Answer<'getInsightsSummary'>['Hourly'][number]

/** What was delivered, in sum and by the hour. */
export const useTraffic = (days: number) =>
  useOperation('getInsightsSummary', { days }, { refetchEveryMs: 30_000 })

const hourMs = 3_600_000
const shownHours = 72

/** Requests hour by hour of the last three days; the page of insights says more. */
export function HourlyTraffic({ days }: { readonly days: number }) {
  const bars = barsOf(useTraffic(days).data?.Hourly ?? [])
  const highest = Math.max(1, ...bars.map(({ requests }) => requests))
  const sum = bars.reduce((total, { requests }) => total + requests, 0)
  return (
    <section className="card">
      <div className="spread">
        <h2>Requests by the hour</h2>
        <Link page="insights">All insights</Link>
      </div>
      <svg
        className="hourly"
        viewBox={`0 0 ${shownHours * 4} 48`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${humanNumber(sum)} requests in three days, at most ${humanNumber(highest)} in an hour`}
      >
        {bars.map(({ at, requests }, index) => (
          <rect
            key={at}
            x={index * 4 + 0.5}
            width={3}
            y={48 - Math.max(requests > 0 ? 2 : 0.75, (requests / highest) * 48)}
            height={Math.max(requests > 0 ? 2 : 0.75, (requests / highest) * 48)}
            className={requests > 0 ? 'hourly-bar' : 'hourly-none'}
          >
            <title>{`${humanTime(new Date(at))}: ${humanNumber(requests)}`}</title>
          </rect>
        ))}
      </svg>
    </section>
  )
}

/** Every hour, those without traffic too, the newest last. */
function barsOf(hours: readonly Hour[]) {
  const requestsByHour = new Map(hours.map(({ Hour, Requests }) => [Date.parse(Hour), Requests]))
  const now = Math.floor(Date.now() / hourMs) * hourMs
  return Array.from({ length: shownHours }, (_, index) => {
    const at = now - (shownHours - 1 - index) * hourMs
    return { at, requests: requestsByHour.get(at) ?? 0 }
  })
}
