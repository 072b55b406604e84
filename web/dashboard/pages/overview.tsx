import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { useLiveAssets } from '../assets/use-live-assets.ts'
import { t } from '../language/text.ts'
import { FirstSteps } from '../overview/first-steps.tsx'
import { HealthCard } from '../overview/health-card.tsx'
import { NewestAssets } from '../overview/newest-assets.tsx'
import { useWeek, WeekOfTraffic } from '../overview/week.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Figure } from '../parts/inline.tsx'
import { humanBytes, humanNumber, humanShare } from '../parts/format.ts'
import { PageSkeleton } from '../parts/feedback/page-skeleton.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { Link } from '../router.tsx'

/** What there is, how it is, and what to do next. */
export function Page() {
  useLiveAssets()
  const zones = useOperation('listZones', {})
  if (zones.isPending) return <PageSkeleton title={t('Overview')} />
  if (zones.isError) return <Failure error={zones.error} onRetry={() => void zones.refetch()} />
  const isEmpty = zones.data.every(({ FileCount }) => FileCount === 0)
  return (
    <>
      <PageHeader
        title={t('Overview')}
        lead={t('What is stored, and what was delivered in 7 days.')}
      >
        <Link page="upload" className="button button-primary">
          {t('Upload files')}
        </Link>
      </PageHeader>
      <div className="overview">
        <Figures zones={zones.data} />
        {isEmpty ? (
          <FirstSteps hasZone={zones.data.length > 0} />
        ) : (
          <>
            <WeekOfTraffic />
            <NewestAssets />
          </>
        )}
        <HealthCard />
      </div>
    </>
  )
}

interface FiguresProps {
  readonly zones: ResponseOf<'listZones'>
}

function Figures({ zones }: FiguresProps) {
  const { Requests = 0, Bytes = 0, CacheHit = 0 } = useWeek()?.Totals ?? {}
  const files = zones.reduce((sum, { FileCount }) => sum + FileCount, 0)
  const bytes = zones.reduce((sum, { StorageUsed }) => sum + StorageUsed, 0)
  return (
    <dl className="figures">
      <Figure name="Zones" value={humanNumber(zones.length)} />
      <Figure name="Assets" value={humanNumber(files)} />
      <Figure name="Stored" value={humanBytes(bytes)} />
      <Figure name="Requests" value={humanNumber(Requests)} />
      <Figure name="Delivered" value={humanBytes(Bytes)} />
      <Figure name="Hit ratio" value={Requests === 0 ? '–' : humanShare(CacheHit / Requests)} />
    </dl>
  )
}
