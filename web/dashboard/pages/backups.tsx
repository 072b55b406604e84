import { useChange, useOperation } from '../api/queries.ts'
import type { BackupsView } from '../backups/backup.ts'
import { BackupCard } from '../backups/backup-card.tsx'
import { BackupPlan } from '../backups/backup-plan.tsx'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { PageHeader } from '../parts/page-header.tsx'

const busyMs = 1_000
const idleMs = 30_000

/** What was backed up, and what comes next. */
export function Page() {
  const backups = useOperation(
    'listBackups',
    {},
    { refetchEveryMs: (data) => (data?.Running == null ? idleMs : busyMs) },
  )
  const start = useChange('createBackup', {
    changes: ['listBackups'],
    onSuccess: () => toast(t('The backup has begun.')),
  })
  const isBusy = backups.data?.Running != null || start.isPending
  return (
    <>
      <PageHeader
        title={t('Backups')}
        lead={t('Everything that cannot be made again, copied elsewhere while the service runs.')}
      >
        {backups.data?.Enabled === true && (
          <Button
            kind="primary"
            icon="layers"
            needs={{ scope: 'backups:write' }}
            isBusy={isBusy}
            onClick={() => start.mutate({}, { onError: (error) => toastFailure(error) })}
          >
            {t('Back up now')}
          </Button>
        )}
      </PageHeader>
      <QueryResult query={backups} label={t('The backups are loading')}>
        {(view) => (view.Enabled ? <All view={view} isBusy={isBusy} /> : <Off />)}
      </QueryResult>
    </>
  )
}

const setting = 'BACKUP_TO=/mnt/backups'

const Off = () => (
  <EmptyState icon="layers" title={t('Backups are off')}>
    <p>{t('Set where they go, a directory or an S3 bucket, and start the service again.')}</p>
    <p>
      <code>{setting}</code>
    </p>
    <CopyButton text={setting} />
  </EmptyState>
)

const All = ({ view, isBusy }: { readonly view: BackupsView; readonly isBusy: boolean }) => (
  <div className="cards">
    <BackupPlan view={view} />
    {view.Backups.map((each) => (
      <BackupCard key={each.Id} backup={each} to={view.To ?? ''} isBusy={isBusy} />
    ))}
    {view.Backups.length === 0 && (
      <EmptyState icon="layers" title={t('No backup yet')}>
        <p>{t('The first one is made a few seconds after the start, or when you start one.')}</p>
      </EmptyState>
    )}
  </div>
)
