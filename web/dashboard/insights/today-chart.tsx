import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { HourChart, timeZone } from './hour-chart.tsx'

const hoursOfDay = 24

/** The day that goes on, hour by hour. Days of reports begin at midnight UTC. */
export function TodayChart({ report }: { readonly report: Report }) {
  const summary = useOperation('getInsightsSummary', report, { keepsPrevious: true })
  return (
    <section className="card">
      <h2>Requests by the hour</h2>
      <p className="fine-print">Today, from midnight UTC; times in {timeZone()}</p>
      <QueryResult query={summary} label="The hours are loading">
        {({ Hourly }) => (
          <HourChart
            hours={Hourly}
            from={new Date().setUTCHours(0, 0, 0, 0)}
            count={hoursOfDay}
            labelEvery={6}
          />
        )}
      </QueryResult>
    </section>
  )
}

/** What a report is of. */
export interface Report {
  /** So many days, today among them. */
  readonly days: number
  /** Left out: all zones. */
  readonly zone?: string
}
