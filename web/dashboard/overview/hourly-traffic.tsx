import { useOperation } from '../api/queries.ts'
import { HourChart, hourMs, timeZone } from '../insights/hour-chart.tsx'
import { Link } from '../router.tsx'

/** What was delivered, in sum and by the hour. */
export const useTraffic = (days: number) =>
  useOperation('getInsightsSummary', { days }, { refetchEveryMs: 30_000 })

/** As far back as the service tells hours. */
const shownHours = 72

/** Requests hour by hour of the last three days; the page of insights says more. */
export function HourlyTraffic({ days }: { readonly days: number }) {
  const hours = useTraffic(days).data?.Hourly ?? []
  const lastHour = Math.floor(Date.now() / hourMs) * hourMs
  return (
    <section className="card">
      <div className="spread">
        <h2>Requests by the hour</h2>
        <Link page="insights">All insights</Link>
      </div>
      <p className="fine-print">The last three days; times in {timeZone()}</p>
      <HourChart
        hours={hours}
        from={lastHour - (shownHours - 1) * hourMs}
        count={shownHours}
        labelEvery={24}
      />
    </section>
  )
}
