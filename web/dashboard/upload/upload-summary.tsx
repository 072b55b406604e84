import type { ReactNode } from 'react'

import { plural, t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import type { UploadSnapshot } from './queue/upload-book.ts'
import { uploads } from './queue/uploads.ts'
import { UploadNews } from './upload-news.tsx'
import { sumsOf, titleOf, type UploadSums } from './upload-sums.ts'

interface UploadSummaryProps extends UploadSnapshot {
  readonly children: ReactNode
}

/** How far it all is, and what needs a word. */
export function UploadSummary({ children, ...snapshot }: UploadSummaryProps) {
  const sums = sumsOf(snapshot)
  return (
    <section className="card stack" aria-label={t('Progress')}>
      <div className="spread">
        <Sums {...sums} />
        <UploadNews {...sums} />
        <Wholesale {...sums} />
      </div>
      <WholeProgress {...sums} />
      {children}
      {snapshot.isOffline && <Offline />}
      <Faults items={snapshot.items} />
      {sums.count('conflict') > 0 && <Conflicts count={sums.count('conflict')} />}
    </section>
  )
}

export const WholeProgress = ({ wholeBytes, sentBytes }: UploadSums) => (
  <progress
    className="progress"
    aria-label={t('All uploads')}
    max={Math.max(1, wholeBytes)}
    value={sentBytes}
  />
)

const Sums = (sums: UploadSums) => (
  <p>
    <strong>{titleOf(sums)}</strong> <span className="fine-print">{factsOf(sums)}</span>
  </p>
)

/** How much of it, how fast, how much longer, and what became of the rest. */
export function factsOf({ sentBytes, wholeBytes, pace, timeLeft, count }: UploadSums): string {
  const live = count('live') + count('unchanged')
  return [
    t('{sent} of {whole}', { sent: humanBytes(sentBytes), whole: humanBytes(wholeBytes) }),
    ...(pace === undefined ? [] : [t('{size} a second', { size: humanBytes(pace) })]),
    ...(timeLeft === undefined ? [] : [timeLeft]),
    ...(live > 0 ? [t('{count} live', { count: humanNumber(live) })] : []),
    ...(count('stored') > 0 ? [t('{count} pending', { count: humanNumber(count('stored')) })] : []),
    ...(count('failed') > 0 ? [t('{count} failed', { count: humanNumber(count('failed')) })] : []),
  ].join(', ')
}

/** What is done with all of them at once. */
const Wholesale = ({ left, count }: UploadSums) => (
  <div className="row">
    {left > 0 && (
      <Button
        icon={count('paused') === left ? 'play' : 'pause'}
        onClick={() => (count('paused') === left ? uploads.goOn() : uploads.pause())}
      >
        {count('paused') === left ? t('Go on with all') : t('Pause all')}
      </Button>
    )}
    {count('failed') > 0 && (
      <Button icon="retry" onClick={() => uploads.retry()}>
        {t('Try failed again')}
      </Button>
    )}
    {left > 0 && <Button onClick={() => uploads.cancel()}>{t('Cancel all')}</Button>}
    <Button kind="quiet" onClick={() => uploads.clear()}>
      {t('Clear finished')}
    </Button>
  </div>
)

const shownFaults = 3

/** The first of them whole: the table has no room for sentences. */
const Faults = ({ items }: Pick<UploadSnapshot, 'items'>) =>
  items
    .filter(({ fault }) => fault !== undefined)
    .slice(0, shownFaults)
    .map(({ id, path, fault }) => (
      <p key={id} className="note upload-note">
        <Icon name="alert" />
        <span>
          <strong>{path}</strong>: {fault}
        </span>
      </p>
    ))

export const Offline = () => (
  <p className="note">
    <Icon name="alert" />
    <span>
      {t('The connection is lost. The rest is sent when it is back; nothing is sent twice.')}
    </span>
  </p>
)

export const Conflicts = ({ count }: { readonly count: number }) => (
  <div className="note spread">
    <span>
      {plural(count, {
        one: '{count} file is stored with other content. Older versions stay in the history.',
        other: '{count} files are stored with other content. Older versions stay in the history.',
      })}
    </span>
    <span className="row">
      <Button onClick={() => uploads.decide('replace')}>{t('Replace all')}</Button>
      <Button onClick={() => uploads.decide('skip')}>{t('Skip all')}</Button>
    </span>
  </div>
)
