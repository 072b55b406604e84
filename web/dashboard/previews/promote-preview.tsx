import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../api/client.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { ChangeCounts, countAll } from '../history/difference.tsx'
import { Pairs } from '../history/difference-thumbnails.tsx'
import { OnlyIn } from '../history/only-in.tsx'
import { prefixOf } from '../history/narrowing.ts'
import { plural, t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { CheckField } from '../parts/forms/field.tsx'
import { HeldImages, heldIn } from './held-images.tsx'
import { conflictsOf, MergeConflicts } from './merge-conflicts.tsx'
import { asDifference, usePreviewDifferences } from './preview-differences.ts'
import { liveReads, type Preview, previewReads } from './preview.ts'
import { useLiveCommit } from './use-live-commit.ts'

interface PromotePreviewProps {
  readonly preview: Preview
  readonly onGone: () => void
  readonly onClose: () => void
}

/** Makes a preview live: first what would change and what is in the way, then the change. */
export function PromotePreview({ preview, onGone, onClose }: PromotePreviewProps) {
  const { Zone: id, Name: name } = preview
  const [typed, setTyped] = useState('')
  const [isLast, setLast] = useState(false)
  const prefix = prefixOf(typed)
  const [released, setReleased] = useState<ReadonlySet<string>>(new Set())
  const part = partOf(prefix, released)
  const dry = useOperation(
    'promotePreview',
    { id, name, body: { ...part, DryRun: true } },
    { staleMs: 0 },
  )
  const promote = usePromotion(preview, isLast ? onGone : onClose)
  const count = dry.data === undefined || dry.isError ? 0 : countAll(dry.data)
  return (
    <Dialog
      title={t('Promote {name}', { name })}
      isOpen
      shape="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            icon="check"
            disabled={count === 0 || dry.isFetching}
            isBusy={promote.isPending}
            onClick={() => promote.mutate({ id, name, body: { ...part, Delete: isLast } })}
          >
            {verbFor(count)}
          </Button>
        </>
      }
    >
      <div className="stack">
        {promote.isError && isOther(promote.error) && <Failure error={promote.error} />}
        <OnlyIn typed={typed} onChange={setTyped} />
        <HeldImages
          refusals={[dry.error, promote.error]}
          commit={preview.Head}
          released={released}
          onChange={setReleased}
        />
        <Planned preview={preview} prefix={prefix} dry={dry} refused={promote.error} />
        <CheckField
          label={t('Delete the preview once it is live')}
          checked={isLast}
          onChange={({ target }) => setLast(target.checked)}
        />
      </div>
    </Dialog>
  )
}

function usePromotion({ Zone: id, Name: name }: Preview, onDone: () => void) {
  const takeBack = useTakeBack(id)
  return useChange('promotePreview', {
    changes: [...previewReads, ...liveReads],
    onSuccess: ({ Commit, ...counts }) => {
      const undo =
        Commit === null ? undefined : { label: t('Undo'), run: () => void takeBack(Commit) }
      toast(t('{name} is live: {counts}.', { name, counts: filesOf(countAll(counts)) }), undo)
      onDone()
    },
  })
}

const partOf = (prefix: string | undefined, released: ReadonlySet<string>) => ({
  ...(prefix !== undefined && { Paths: [prefix] }),
  ...(released.size > 0 && { Release: [...released].map(belowZone) }),
})

/** `v1/…`, as a promotion names it. */
const belowZone = (path: string): string => path.slice(path.indexOf('/') + 1)

/** Nothing that is shown with its files. */
const isOther = (error: unknown): boolean =>
  conflictsOf(error) === undefined && heldIn(error) === undefined

const verbFor = (count: number): string =>
  count === 0 ? t('Make it live') : t('Make it live: {files}', { files: filesOf(count) })

const filesOf = (count: number): string => plural(count, { one: '1 file', other: '{count} files' })

interface PlannedProps {
  readonly preview: Preview
  /** What of it is to be promoted. */
  readonly prefix: string | undefined
  readonly dry: ReturnType<typeof useOperation<'promotePreview'>>
  /** Why it was refused, where live was changed after the dry run. */
  readonly refused: unknown
}

function Planned({ preview, prefix, dry, refused }: PlannedProps) {
  const live = useLiveCommit(preview)
  const conflicts = conflictsOf(refused) ?? conflictsOf(dry.error)
  if (conflicts !== undefined)
    return (
      <MergeConflicts
        conflicts={conflicts}
        commits={{ base: preview.Base, live, preview: preview.Head }}
      />
    )
  if (dry.isPending) return <Loading label={t('What would change is worked out')} />
  if (heldIn(dry.error) !== undefined) return undefined
  if (dry.isError) return <Failure error={dry.error} onRetry={() => void dry.refetch()} />
  if (countAll(dry.data) === 0)
    return (
      <div className="note">
        <p>{t('Nothing is left to promote: all that it changed is live.')}</p>
      </div>
    )
  return (
    <section className="stack" aria-label={t('What would be live')} aria-live="polite">
      <p>
        {t(
          'These files are live at once and everywhere, in one commit. What was live stays in the history.',
        )}
      </p>
      <ChangeCounts of={dry.data} />
      <PromotedFiles preview={preview} live={live} prefix={prefix} count={countAll(dry.data)} />
    </section>
  )
}

interface PromotedFilesProps extends Pick<PlannedProps, 'preview' | 'prefix'> {
  readonly live: string | undefined
  readonly count: number
}

/** Each file as it is live and as it would be. */
function PromotedFiles({ preview, live, prefix, count }: PromotedFilesProps) {
  const found = usePreviewDifferences(preview)
  const below = `${preview.Zone}/${prefix ?? 'v1'}`
  const isMeant = ({ Path }: { readonly Path: string }) =>
    Path === below || Path.startsWith(`${below}/`)
  const all = found.data?.pages.flatMap(({ Differences }) => Differences) ?? []
  return (
    <Pairs
      differences={all.filter(isMeant).map(asDifference)}
      from={live}
      to={preview.Head}
      count={count}
    />
  )
}

/** Puts the zone back to the commit before the promotion, and says so. */
function useTakeBack(id: string) {
  const queries = useQueryClient()
  return async (promoted: string) => {
    try {
      const { Commits } = await client.getZoneHistory({ id, before: promoted, limit: 1 })
      const [former] = Commits
      if (former === undefined) return
      await client.restoreZone({ id, body: { Commit: former.Commit } })
      toast(t('{id} is as it was before.', { id }))
      await Promise.all(
        [...previewReads, ...liveReads].map((each) =>
          queries.invalidateQueries({ queryKey: [each] }),
        ),
      )
    } catch (error) {
      toastFailure(error)
    }
  }
}
