import { useOperation } from '../api/queries.ts'
import { ErrorTable } from '../insights/error-table.tsx'
import { Geography } from '../insights/geography.tsx'
import { LiveTraffic } from '../insights/live-traffic.tsx'
import { type Report, TodayChart } from '../insights/today-chart.tsx'
import { TopAssets } from '../insights/top-assets.tsx'
import { TrafficChart } from '../insights/traffic-chart.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Figure } from '../parts/inline.tsx'
import { humanBytes, humanNumber, humanPercent } from '../parts/format.ts'
import { PageHeader } from '../parts/page-header.tsx'
import { PeriodSelect, usePeriod } from '../parts/forms/period.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { useSearch } from '../router.tsx'

/** What is delivered, to where, and what went wrong. */
export function Page() {
  const [days, setDays] = usePeriod()
  const [{ zone = '' }, change] = useSearch()
  const report = { days, ...(zone === '' ? {} : { zone }) }
  return (
    <>
      <PageHeader title="Insights" lead="What is delivered, to where, and what went wrong." />
      <div className="toolbar">
        <PeriodSelect days={days} onChange={setDays} />
        <ZoneSelect value={zone} all="All zones" onChange={(next) => change({ zone: next })} />
      </div>
      <div className="stack">
        <LiveTraffic zone={zone} />
        <Traffic report={report} />
        <div className="halves">
          <TopAssets report={report} />
          <ErrorTable report={report} />
        </div>
        <Geography report={report} />
      </div>
    </>
  )
}

function Traffic({ report }: { readonly report: Report }) {
  const statistics = useOperation('getStatistics', report, { keepsPrevious: true })
  return (
    <QueryResult query={statistics} label="The traffic is loading">
      {({ Summary, Daily }) => (
        <>
          <dl className="figures">
            <Figure name="Requests" value={humanNumber(Summary.TotalRequests)} />
            <Figure name="Bandwidth" value={humanBytes(Summary.TotalBandwidth)} />
            <Figure name="From the cache" value={humanPercent(Summary.CacheHitRate)} />
            <Figure name="Countries" value={humanNumber(Summary.UniqueCountries)} />
          </dl>
          {report.days === 1 ? <TodayChart report={report} /> : <TrafficChart days={Daily} />}
        </>
      )}
    </QueryResult>
  )
}
