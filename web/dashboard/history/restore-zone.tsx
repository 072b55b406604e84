import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { plural, t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { humanTime } from '../parts/format.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { ChangeCounts, countAll } from './difference.tsx'
import { DifferenceThumbnails } from './difference-thumbnails.tsx'
import { OnlyIn } from './only-in.tsx'
import { prefixOf } from './narrowing.ts'
import { historyReads } from './use-live-history.ts'

interface RestoreZoneProps {
  readonly zone: string
  readonly commit: string
  /** The part of the zone that is looked at, such as `v1/icons`. */
  readonly prefix: string | undefined
  readonly onClose: () => void
}

const changed = [
  ...historyReads,
  'listAssets',
  'listZones',
  'getAssetMetadata',
  'getAssetHistory',
] as const

/** Puts a zone back to a moment: first what that would change, then the change, which can be taken back. */
export function RestoreZone({ zone, commit, prefix: given, onClose }: RestoreZoneProps) {
  const [typed, setTyped] = useState(given?.replace(/^v1\/?/u, '') ?? '')
  const prefix = prefixOf(typed)
  const body = { Commit: commit, ...(prefix !== undefined && { Prefix: prefix }) }
  const dry = useOperation(
    'restoreZone',
    { id: zone, body: { ...body, DryRun: true } },
    { keepsPrevious: true },
  )
  const takeBack = useTakeBack(zone)
  const restore = useChange('restoreZone', {
    changes: changed,
    onSuccess: ({ Before, DateFrom, ...counts }) => {
      toast(
        t('{zone} is as it was on {dateFrom}: {counts}.', {
          zone,
          dateFrom: humanTime(DateFrom),
          counts: files(countAll(counts)),
        }),
        Before === null
          ? undefined
          : { label: t('Undo'), run: () => void takeBack({ ...body, Commit: Before }) },
      )
      onClose()
    },
  })
  const count = dry.data === undefined ? 0 : countAll(dry.data)
  return (
    <Dialog
      title={t('Go back to {commit}', { commit: commit.slice(0, 10) })}
      isOpen
      shape="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            icon="undo"
            needs={{ scope: 'storage:write', zone }}
            disabled={count === 0 || dry.isFetching}
            isBusy={restore.isPending}
            onClick={() => restore.mutate({ id: zone, body })}
          >
            {count === 0 ? t('Go back') : t('Go back: {count}', { count: files(count) })}
          </Button>
        </>
      }
    >
      <div className="stack">
        {restore.isError && <Failure error={restore.error} />}
        <OnlyIn typed={typed} onChange={setTyped} />
        <QueryResult query={dry} label={t('What would change is worked out')}>
          {(data) => <Planned zone={zone} dry={data} prefix={prefix} />}
        </QueryResult>
      </div>
    </Dialog>
  )
}

const files = (count: number): string => plural(count, { one: '1 file', other: '{count} files' })

interface PlannedProps {
  readonly zone: string
  readonly dry: ResponseOf<'restoreZone'>
  readonly prefix: string | undefined
}

/** What the dry run says, with images of both sides. */
function Planned({ zone, dry, prefix }: PlannedProps) {
  const { DateFrom, From, Before } = dry
  if (countAll(dry) === 0)
    return (
      <div className="note">
        <p>
          {t('Nothing is otherwise there: it is as it was on {dateFrom}.', {
            dateFrom: humanTime(DateFrom),
          })}
        </p>
      </div>
    )
  return (
    <section className="stack" aria-label={t('What would change')} aria-live="polite">
      <p>
        {rich(
          'Everything becomes what it was on {dateFrom}, at once and everywhere, in one commit. Nothing is lost: what is there now stays in the history, and can be brought back the same way.',
          { dateFrom: <strong>{humanTime(DateFrom)}</strong> },
        )}
      </p>
      <ChangeCounts of={dry} />
      {Before !== null && (
        <DifferenceThumbnails
          wanted={{
            id: zone,
            from: Before,
            to: From,
            ...(prefix !== undefined && { path: prefix }),
          }}
        />
      )}
    </section>
  )
}

/** Restores what was before, and says so. */
function useTakeBack(zone: string) {
  const queries = useQueryClient()
  return async (body: { readonly Commit: string; readonly Prefix?: string }) => {
    try {
      await client.restoreZone({ id: zone, body })
      toast(t('{zone} is as it was before.', { zone }))
      await Promise.all(changed.map((each) => queries.invalidateQueries({ queryKey: [each] })))
    } catch (error) {
      toastFailure(error)
    }
  }
}
