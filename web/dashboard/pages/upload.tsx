import { useState } from 'react'

import { useServerEvents } from '../api/events.ts'
import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { assetEvents, type PublishedEvent } from '../assets/use-live-assets.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { PageSkeleton } from '../parts/feedback/page-skeleton.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { mayOf } from '../parts/access/may.ts'
import { useKeptFocus } from '../parts/use-kept-focus.ts'
import { useOwnReach } from '../parts/access/use-may.ts'
import { Link } from '../router.tsx'
import { EdgeProgress } from '../upload/edge-progress.tsx'
import { Intake } from '../upload/intake.tsx'
import { UnfinishedList } from '../upload/unfinished-list.tsx'
import { UploadList } from '../upload/upload-list.tsx'
import { UploadSummary } from '../upload/upload-summary.tsx'
import { attentionFirst } from '../upload/upload-sums.ts'
import { useUnfinished, useUploads } from '../upload/queue/uploads.ts'

/** Takes files in and shows them on their way to the edges. */
export function Page() {
  const zones = useOperation('listZones', {})
  const reach = useOwnReach()
  const snapshot = useUploads()
  const begun = useUnfinished()
  const keepsFocus = useKeptFocus()
  const [commit, setCommit] = useState<string>()
  useServerEvents(assetEvents, 'published', (data) => {
    const { changes } = data as PublishedEvent
    setCommit(changes.at(-1)?.commit ?? undefined)
  })
  if (zones.isPending) return <PageSkeleton title={t('Upload')} />
  if (zones.isError) return <Failure error={zones.error} onRetry={() => void zones.refetch()} />
  const open = zones.data.filter(
    ({ Name }) => mayOf(reach, { scope: 'storage:write', zone: Name }).isAllowed,
  )
  return (
    <>
      <PageHeader
        title={t('Upload')}
        lead={t(
          'Each file is checked, committed and delivered within seconds. What is stored already is not sent again.',
        )}
      />
      {zones.data.length === 0 ? (
        <NoZone />
      ) : open.length === 0 ? (
        <NoRole />
      ) : (
        <div className="stack" tabIndex={-1} {...keepsFocus}>
          {begun.length > 0 && <UnfinishedList uploads={begun} />}
          <Intake zones={open.map(({ Name }) => Name)} />
          {snapshot.items.length > 0 && (
            <>
              <UploadSummary {...snapshot}>
                {commit !== undefined && <EdgeProgress commit={commit} />}
              </UploadSummary>
              <UploadList items={attentionFirst(snapshot.items)} />
            </>
          )}
        </div>
      )}
    </>
  )
}

const NoZone = () => (
  <EmptyState icon="layers" title={t('There is no zone to upload to')}>
    <p>{t('A zone is a tenant: files live in one.')}</p>
    <p className="row">
      <Link page="zones" className="button button-primary">
        {t('Create a zone')}
      </Link>
    </p>
  </EmptyState>
)

const NoRole = () => (
  <EmptyState icon="shield" title={t('Your roles do not open uploads to what is live')}>
    <p>
      {rich('Put files into a <link>preview</link>, and have a publisher promote it.', {
        link: (text) => <Link page="previews">{text}</Link>,
      })}
    </p>
  </EmptyState>
)
