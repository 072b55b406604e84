import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

import { ErrorTable } from '../insights/error-table.tsx'
import { Geography } from '../insights/geography.tsx'
import { LiveTraffic } from '../insights/live-traffic.tsx'
import { noPeriod, PeriodControls } from '../insights/period-controls.tsx'
import {
  type Chosen,
  reportOf,
  type Series,
  seriesInput,
  useChosen,
  useSeries,
} from '../insights/chosen-period.ts'
import { TopAssets } from '../insights/top-assets.tsx'
import { Traffic } from '../insights/traffic.tsx'
import { Agents, Referrers } from '../insights/visitors.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanDay } from '../parts/format.ts'
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
      <p className="fine-print">
        {report.from === report.to
          ? t('Below: all of {from}, a day in UTC.', { from: humanDay(report.from) })
          : t('Below: {from} to {to}, whole days in UTC.', {
              from: humanDay(report.from),
              to: humanDay(report.to),
            })}
      </p>
      <div className="lists">
        <TopAssets report={report} />
        <ErrorTable report={report} />
        <Referrers report={report} />
        <Agents report={report} />
      </div>
      <Geography report={report} />
    </>
  )
}

const refreshEveryMs = 5_000
const refreshed = ['getTrafficSeries', 'getTopAssets', 'getErrors', 'getReferrers', 'getAgents']

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
