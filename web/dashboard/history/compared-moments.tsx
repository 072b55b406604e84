import { useState } from 'react'

import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { useAuthorName } from '../parts/author-name.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { exactTime, humanNumber } from '../parts/format.ts'
import { useSearch } from '../router.tsx'
import { ChooseMoment } from './choose-moment.tsx'
import { changes, countAll, countOf, type Differences, type Moment } from './difference.tsx'

interface ComparedMomentsProps {
  readonly zone: string
  readonly first: Differences
  /** Whether the second moment is whatever is newest. */
  readonly isNow: boolean
  readonly onRestore: (commit: string) => void
}

type Side = 'from' | 'to'

/** Which two moments are compared, how to choose others, and what they differ in by number. */
export function ComparedMoments({ zone, first, isNow, onRestore }: ComparedMomentsProps) {
  const [, setSearch] = useSearch()
  const [chosen, setChosen] = useState<Side>()
  const swap = () => setSearch({ from: first.To.Commit, to: first.From?.Commit, file: undefined })
  return (
    <>
      <div className="moments">
        <MomentCard title={t('Before')} moment={first.From} onChange={() => setChosen('from')}>
          {first.From !== null && (
            <RestoreButton commit={first.From.Commit} onRestore={onRestore} />
          )}
        </MomentCard>
        <IconButton
          icon="swap"
          label={t('Swap both moments')}
          disabled={first.From === null}
          onClick={swap}
        />
        <MomentCard
          title={isNow ? t('After: now') : t('After')}
          moment={first.To}
          onChange={() => setChosen('to')}
        >
          {!isNow && <RestoreButton commit={first.To.Commit} onRestore={onRestore} />}
        </MomentCard>
      </div>
      <WhichFiles first={first} />
      {chosen && (
        <ChooseMoment
          zone={zone}
          title={chosen === 'from' ? t('The moment before') : t('The moment after')}
          canBeNow={chosen === 'to'}
          onChoose={(commit) =>
            setSearch({
              from: first.From?.Commit,
              to: isNow ? undefined : first.To.Commit,
              [chosen]: commit,
              file: undefined,
            })
          }
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

/** All that differ, or some: by what became of them, and where they are. */
function WhichFiles({ first }: Pick<ComparedMomentsProps, 'first'>) {
  const [{ path, change }, setSearch] = useSearch()
  return (
    <div className="spread">
      <Segments
        label={t('Which files')}
        value={change ?? ''}
        options={[
          { value: '', label: t('All {first}', { first: humanNumber(countAll(first)) }) },
          ...changes.map((each) => ({
            value: each,
            label: `${humanNumber(countOf(first, each))} ${each}`,
          })),
        ]}
        onChange={(next) => setSearch({ change: next }, { replaces: true })}
      />
      {path !== undefined && (
        <p className="row">
          {rich('Only in {path}', { path: <code>{path}</code> })}
          <Button kind="quiet" icon="close" onClick={() => setSearch({ path: undefined })}>
            {t('Show the whole zone')}
          </Button>
        </p>
      )}
    </div>
  )
}

interface MomentCardProps {
  readonly title: string
  readonly moment: Moment | null
  readonly onChange: () => void
  readonly children: React.ReactNode
}

function MomentCard({ title, moment, onChange, children }: MomentCardProps) {
  const nameOf = useAuthorName()
  return (
    <section className="card moment" aria-label={title}>
      <h2>{title}</h2>
      {moment === null ? (
        <p>{t('The zone was not there yet.')}</p>
      ) : (
        <div>
          <p className="moment-time">{exactTime(moment.DateCommitted)}</p>
          <p className="moment-subject">{moment.Subject}</p>
          <p className="fine-print">
            {rich('by {author}, {commit}', {
              author: nameOf(moment.Author),
              commit: <code>{moment.Commit.slice(0, 10)}</code>,
            })}
          </p>
        </div>
      )}
      <div className="row">
        <Button kind="quiet" icon="history" onClick={onChange}>
          {t('Choose another')}
        </Button>
        {children}
      </div>
    </section>
  )
}

const RestoreButton = ({
  commit,
  onRestore,
}: {
  readonly commit: string
  readonly onRestore: (commit: string) => void
}) => (
  <Button kind="quiet" icon="undo" onClick={() => onRestore(commit)}>
    {t('Go back to here')}
  </Button>
)
