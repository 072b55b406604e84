import { useChange, useOperation } from '../api/queries.ts'
import { ChangeCounts, countAll } from '../history/difference.tsx'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { conflictsOf, MergeConflicts } from './merge-conflicts.tsx'
import { type Preview, previewReads } from './preview.ts'
import { useLiveCommit } from './use-live-commit.ts'

interface UpdatePreviewProps {
  readonly preview: Preview
  readonly onClose: () => void
}

/** Brings into a preview what is live by now. */
export function UpdatePreview({ preview, onClose }: UpdatePreviewProps) {
  const { Zone: id, Name: name, Base, Head } = preview
  const live = useLiveCommit(preview)
  const dry = useOperation('updatePreview', { id, name, body: { DryRun: true } }, { staleMs: 0 })
  const update = useChange('updatePreview', {
    changes: previewReads,
    onSuccess: () => {
      toast(t('{name} has what is live by now.', { name }))
      onClose()
    },
  })
  const conflicts = conflictsOf(update.error) ?? conflictsOf(dry.error)
  const isReady = conflicts === undefined && dry.isSuccess && !dry.isFetching
  return (
    <Dialog
      title={t('Update {name}', { name })}
      isOpen
      shape="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            icon="retry"
            disabled={!isReady}
            isBusy={update.isPending}
            onClick={() => update.mutate({ id, name, body: {} })}
          >
            {t('Update the preview')}
          </Button>
        </>
      }
    >
      {conflicts === undefined ? (
        <Planned dry={dry} error={update.error} />
      ) : (
        <MergeConflicts conflicts={conflicts} commits={{ base: Base, live, preview: Head }} />
      )}
    </Dialog>
  )
}

interface PlannedProps {
  readonly dry: ReturnType<typeof useOperation<'updatePreview'>>
  readonly error: unknown
}

/** What would come into the preview. */
const Planned = ({ dry, error }: PlannedProps) => (
  <div className="stack">
    {error !== null && <Failure error={error} />}
    <QueryResult query={dry} label={t('What would change is worked out')}>
      {(data) => (
        <>
          <p>
            {t(
              'The preview gets what was published since it was made, and keeps all that it changed itself.',
            )}
          </p>
          {countAll(data) === 0 ? (
            <p>{t('It has all of it already.')}</p>
          ) : (
            <ChangeCounts of={data} />
          )}
        </>
      )}
    </QueryResult>
  </div>
)
