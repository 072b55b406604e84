import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'

interface ZoneTrafficProps {
  readonly zone: string
}

const staleMs = 60_000

/** Of the last seven days. A table asks for the rows in view alone, and once for both. */
const useTraffic = (zone: string) =>
  useOperation('getInsightsSummary', { days: 7, zone }, { staleMs }).data

export function ZoneRequests({ zone }: ZoneTrafficProps) {
  const traffic = useTraffic(zone)
  return <span title={t('In 7 days')}>{traffic ? humanNumber(traffic.TotalRequests) : '…'}</span>
}

export function ZoneBandwidth({ zone }: ZoneTrafficProps) {
  const traffic = useTraffic(zone)
  return (
    <span title={t('In 7 days')}>{traffic ? humanBytes(traffic.TotalBandwidthBytes) : '…'}</span>
  )
}
