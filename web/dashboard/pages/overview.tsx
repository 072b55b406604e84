import { useOperation } from '../api/queries.ts'
import { useLiveAssets } from '../assets/use-live-assets.ts'
import { t } from '../language/text.ts'
import { Figures } from '../overview/figures.tsx'
import { FirstSteps } from '../overview/first-steps.tsx'
import { HealthCard } from '../overview/health-card.tsx'
import { NewestAssets } from '../overview/newest-assets.tsx'
import { RecentChanges } from '../overview/recent-changes.tsx'
import { useWeek, WeekOfTraffic } from '../overview/week.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { PageSkeleton } from '../parts/feedback/page-skeleton.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { Link } from '../router.tsx'

/** What there is, how it is, and what to do next. */
export function Page() {
  useLiveAssets()
  const zones = useOperation('listZones', {})
  const week = useWeek()
  if (zones.isPending) return <PageSkeleton title={t('Overview')} />
  if (zones.isError) return <Failure error={zones.error} onRetry={() => void zones.refetch()} />
  const hasFile = zones.data.some(({ FileCount }) => FileCount > 0)
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
        {week !== undefined && (
          <FirstSteps
            hasZone={zones.data.length > 0}
            hasFile={hasFile}
            isDelivered={hasFile && week.Totals.Requests > 0}
          />
        )}
        <Figures zones={zones.data} />
        {hasFile && (
          <div className="overview-columns">
            <WeekOfTraffic />
            <RecentChanges />
          </div>
        )}
        {hasFile && <NewestAssets />}
        <HealthCard />
      </div>
    </>
  )
}
