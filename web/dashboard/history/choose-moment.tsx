import { useState } from 'react'

import { usePages } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { useAuthorName } from '../parts/author-name.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { humanTime } from '../parts/format.ts'
import { dayOf, endOfDay } from './narrowing.ts'

interface ChooseMomentProps {
  readonly zone: string
  readonly title: string
  /** Whether it may be whatever is newest. */
  readonly canBeNow: boolean
  /** `undefined`: now. */
  readonly onChoose: (commit: string | undefined) => void
  readonly onClose: () => void
}

const perPage = 15

/** A moment of a zone: one of its commits, from a day back. */
export function ChooseMoment({ zone, title, canBeNow, onChoose, onClose }: ChooseMomentProps) {
  const [day, setDay] = useState('')
  const nameOf = useAuthorName()
  const history = usePages(
    'getZoneHistory',
    { id: zone, limit: perPage, ...(day !== '' && { time: endOfDay(day) }) },
    { cursor: 'before' },
  )
  const choose = (commit: string | undefined) => {
    onChoose(commit)
    onClose()
  }
  const commits = history.data?.pages.flatMap(({ Commits }) => Commits) ?? []
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={canBeNow && <Button onClick={() => choose(undefined)}>{t('Now')}</Button>}
    >
      <div className="stack">
        <TextField
          label={t('On this day, or before it')}
          type="date"
          value={day}
          max={dayOf(new Date())}
          onChange={({ target }) => setDay(target.value)}
        />
        {history.isPending && <Loading label={t('The commits are loading')} />}
        {history.isError && (
          <Failure error={history.error} onRetry={() => void history.refetch()} />
        )}
        {history.isSuccess && commits.length === 0 && <p>{t('The zone was not there yet.')}</p>}
        <ul className="chosen-moments">
          {commits.map(({ Commit, Subject, Author, DateCommitted }) => (
            <li key={Commit}>
              <button type="button" onClick={() => choose(Commit)}>
                <span className="chosen-subject">{Subject}</span>
                <span className="fine-print">
                  {t('{dateCommitted}, by {author}', {
                    dateCommitted: humanTime(DateCommitted),
                    author: nameOf(Author),
                  })}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {history.hasNextPage && (
          <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            {t('Show older commits')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
