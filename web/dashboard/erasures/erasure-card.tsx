import { useId } from 'react'

import { t } from '../language/text.ts'
import { useAuthorName } from '../parts/author-name.ts'
import { humanNumber, humanTime } from '../parts/format.ts'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { type Erasure, isSettled, nameOfErasure, type Place, placeName } from './erasure.ts'

interface ErasureCardProps {
  readonly erasure: Erasure
  readonly isOpen: boolean
  readonly onToggle: () => void
}

const stateKinds = { working: 'busy', done: 'good', failed: 'bad' } as const
const stateWords = {
  working: t('on its way'),
  done: t('forgotten everywhere'),
  failed: t('a place failed, tried again'),
} as const

/** What others hold is for their owners to forget. */
const wordOf = ({ State, Places }: Erasure): string =>
  State === 'done' && Places.some((place) => place.State === 'told')
    ? t('forgotten within reach')
    : stateWords[State]

/** One erasure: why, by whom, and how far each place has got. */
export function ErasureCard({ erasure, isOpen, onToggle }: ErasureCardProps) {
  const nameOf = useAuthorName()
  const id = useId()
  const { State, Reason, DateCreated, By, Places } = erasure
  const settled = Places.filter(isSettled).length
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{nameOfErasure(erasure)}</h2>
        <Badge kind={stateKinds[State]}>{wordOf(erasure)}</Badge>
      </div>
      <p className="erasure-reason">{Reason}</p>
      <p className="fine-print">
        <Moment time={DateCreated} /> {t('by {by}', { by: nameOf(By) })}
      </p>
      {State !== 'done' && (
        <progress
          className="erasure-progress"
          value={settled}
          max={Math.max(1, Places.length)}
          aria-label={t('{settled} of {total} places', { settled, total: Places.length })}
        />
      )}
      <Button kind="quiet" icon={isOpen ? 'up' : 'down'} aria-expanded={isOpen} onClick={onToggle}>
        {t('{settled} of {total} places', { settled, total: Places.length })}
      </Button>
      {isOpen && <Ledger erasure={erasure} />}
    </section>
  )
}

const placeKinds: Readonly<Record<Place['State'], 'plain' | 'good' | 'bad' | 'warning'>> = {
  waiting: 'plain',
  confirmed: 'good',
  failed: 'bad',
  told: 'warning',
}

const placeWords: Readonly<Record<Place['State'], string>> = {
  waiting: 'waiting',
  confirmed: 'confirmed',
  failed: t('failed, tried again'),
  told: t('out of reach'),
}

function Ledger({ erasure }: { readonly erasure: Erasure }) {
  const { Places, Files, Commits, Sha256, DateDone, Id } = erasure
  return (
    <div className="stack card-more">
      <ol className="entries" aria-label={t('Places')}>
        {Places.map(({ Place: place, State, Date: date, Detail }) => (
          <li key={place}>
            <div>
              <p>{placeName(place)}</p>
              {Detail !== '' && <p className="fine-print">{Detail}</p>}
            </div>
            <span className="place-state">
              <Badge kind={placeKinds[State]}>{placeWords[State]}</Badge>
              {State !== 'waiting' && <span className="fine-print">{humanTime(date)}</span>}
            </span>
          </li>
        ))}
      </ol>
      <dl className="facts">
        <dt>{t('Files')}</dt>
        <dd>{Files.length === 0 ? t('none had the bytes any more') : Files.join(', ')}</dd>
        <dt>{t('Commits')}</dt>
        <dd>{Commits === null ? t('not known yet') : humanNumber(Commits)}</dd>
        <dt>{t('SHA-256')}</dt>
        <dd>
          {Sha256.map((each) => (
            <code key={each} className="erasure-sha">
              {each}
            </code>
          ))}
        </dd>
        {DateDone !== null && (
          <>
            <dt>{t('Done')}</dt>
            <dd>{humanTime(DateDone)}</dd>
          </>
        )}
        <dt>{t('Number')}</dt>
        <dd>
          <code>{Id}</code>
        </dd>
      </dl>
    </div>
  )
}
