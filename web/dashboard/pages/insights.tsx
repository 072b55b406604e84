import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { ErrorTable } from '../insights/error-table.tsx'
import { Geography } from '../insights/geography.tsx'
import { LiveTraffic } from '../insights/live-traffic.tsx'
import { noPeriod, PeriodControls } from '../insights/period-controls.tsx'
import {
  type Chosen,
  type Report,
  reportOf,
  type Series,
  seriesInput,
  useChosen,
  useSeries,
} from '../insights/chosen-period.ts'
import { Statuses } from '../insights/statuses.tsx'
import { TopAssets } from '../insights/top-assets.tsx'
import { Traffic } from '../insights/traffic.tsx'
import { Agents, Referrers } from '../insights/visitors.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanTime } from '../parts/format.ts'
import { PageHeader } from '../parts/page-header.tsx'

/** What is delivered, to where, and what went wrong. */
export function Page() {
  const [chosen, change] = useChosen()
  const series = useSeries(seriesInput(chosen))
  const refresh = useRefresh()
  return (
    <>
      <PageHeader
        title={t('Insights')}
        lead={t('What is delivered, to where, and what went wrong.')}
      />
      <PeriodControls chosen={chosen} shown={series.data?.Period} onChange={change} />
      <div className="stack">
        {chosen.to === undefined && <LiveTraffic zone={chosen.zone} onTraffic={refresh} />}
        <QueryResult query={series} label={t('The traffic is loading')}>
          {(data) => (
            <>
              <Traffic
                series={data}
                chosen={chosen}
                onZoom={(from, to) => change({ from, to, step: undefined })}
                onZoomOut={() => change({ ...noPeriod, period: chosen.period })}
              />
              <Lists series={data} chosen={chosen} />
            </>
          )}
        </QueryResult>
      </div>
    </>
  )
}

interface ListsProps {
  readonly series: Series
  readonly chosen: Chosen
}

function Lists({ series, chosen }: ListsProps) {
  const report = reportOf(series, chosen)
  return (
    <>
      <ListPeriod report={report} />
      <div className="lists">
        <TopAssets report={report} />
        <Referrers report={report} />
        <Agents report={report} />
        <Statuses report={report} />
        <ErrorTable report={report} />
      </div>
      <Geography report={report} />
    </>
  )
}

/** Says so where the lists are of more than the chart: they go by the hour, what is old by the day. */
function ListPeriod({ report }: { readonly report: Report }) {
  const { data } = useOperation('getStatuses', { ...report, limit: 10 }, { keepsPrevious: true })
  if (data === undefined) return null
  const { FromTime, ToTime } = data.Period
  const isSame =
    Date.parse(FromTime) === Date.parse(report.from) &&
    Date.parse(ToTime) >= Math.min(Date.now(), Date.parse(report.to))
  const end = new Date(Math.min(Date.now(), Date.parse(ToTime)))
  return isSame ? null : (
    <p className="fine-print">
      {t('The lists below go by whole hours: {from} to {to}.', {
        from: humanTime(FromTime),
        to: humanTime(end),
      })}
    </p>
  )
}

const refreshEveryMs = 5_000
const refreshed = [
  'getTrafficSeries',
  'getTopAssets',
  'getErrors',
  'getReferrers',
  'getAgents',
  'getStatuses',
  'getGeography',
]

/** Reads the figures anew while something is delivered, so that they move with what is told of right now. */
function useRefresh(): () => void {
  const queries = useQueryClient()
  const lastMs = useRef(0)
  return () => {
    if (Date.now() - lastMs.current < refreshEveryMs) return
    lastMs.current = Date.now()
    for (const id of refreshed) void queries.invalidateQueries({ queryKey: [id] })
  }
}
