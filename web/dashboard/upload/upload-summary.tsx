import { type ReactNode, useEffect } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanBytes, humanNumber, humanTimeLeft } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { isFinished, type UploadItem, type UploadState } from './queue/upload-item.ts'
import type { UploadSnapshot } from './queue/upload-book.ts'
import { uploads } from './queue/uploads.ts'
import { UploadNews } from './upload-news.tsx'

interface UploadSummaryProps extends UploadSnapshot {
  readonly children: ReactNode
}

/** How far it all is, and what needs a word. */
export function UploadSummary(props: UploadSummaryProps) {
  const { items, isOffline, bytesPerSecond, children } = props
  const sums = sumOf(items)
  const { wholeBytes, sentBytes, leftBytes, count } = sums
  const left = items.filter((item) => !isFinished(item)).length
  const pace = isOffline || count('sending') === 0 ? undefined : bytesPerSecond
  const timeLeft = timeLeftOf(leftBytes, pace)
  useWarningOnLeaving(left > 0)
  return (
    <section className="card stack" aria-label={t('Progress')}>
      <div className="spread">
        <Sums {...sums} left={left} pace={pace} all={items.length} />
        <UploadNews
          sentShare={sentBytes / Math.max(1, wholeBytes)}
          timeLeft={timeLeft}
          state={isOffline ? 'offline' : stateOf({ left, paused: count('paused') })}
        />
        <Wholesale left={left} paused={count('paused')} failed={count('failed')} />
      </div>
      <progress
        className="progress"
        aria-label={t('All uploads')}
        max={Math.max(1, wholeBytes)}
        value={sentBytes}
      />
      {children}
      {isOffline && <Offline />}
      <Faults items={items} />
      {count('conflict') > 0 && <Conflicts count={count('conflict')} />}
    </section>
  )
}

const stateOf = ({ left, paused }: { readonly left: number; readonly paused: number }) => {
  if (left === 0) return 'done'
  return left === paused ? 'paused' : 'sending'
}

const timeLeftOf = (leftBytes: number, bytesPerSecond: number | undefined) =>
  bytesPerSecond === undefined ? undefined : humanTimeLeft(leftBytes / bytesPerSecond)

interface SumsProps extends ReturnType<typeof sumOf> {
  readonly all: number
  readonly left: number
  /** Bytes a second, where it is known. */
  readonly pace: number | undefined
}

function Sums({ wholeBytes, sentBytes, leftBytes, count, all, left, pace }: SumsProps) {
  const timeLeft = timeLeftOf(leftBytes, pace)
  return (
    <p>
      <strong>{titleOf({ all: all, left, undone: count('failed') + count('cancelled') })}</strong>{' '}
      <span className="fine-print">
        {t('{sentBytes} of {wholeBytes}', {
          sentBytes: humanBytes(sentBytes),
          wholeBytes: humanBytes(wholeBytes),
        })}
        {pace !== undefined && t(', {pace} a second', { pace: humanBytes(pace) })}
        {timeLeft !== undefined && `, ${timeLeft}`}
        {count('live') + count('unchanged') > 0 &&
          t(', {value} live', { value: humanNumber(count('live') + count('unchanged')) })}
        {count('stored') > 0 && t(', {value} pending', { value: humanNumber(count('stored')) })}
        {count('failed') > 0 && t(', {value} failed', { value: humanNumber(count('failed')) })}
      </span>
    </p>
  )
}

interface WholesaleProps {
  readonly left: number
  readonly paused: number
  readonly failed: number
}

/** What is done with all of them at once. */
const Wholesale = ({ left, paused, failed }: WholesaleProps) => (
  <div className="row">
    {left > 0 && (
      <Button
        icon={paused === left ? 'play' : 'pause'}
        onClick={() => (paused === left ? uploads.goOn() : uploads.pause())}
      >
        {paused === left ? t('Go on with all') : t('Pause all')}
      </Button>
    )}
    {failed > 0 && (
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

interface Counts {
  readonly all: number
  /** Not finished yet. */
  readonly left: number
  /** Finished, and not where they should be. */
  readonly undone: number
}

function titleOf({ all, left, undone }: Counts): string {
  if (left > 0)
    return t('{all} of {allToo} files', { all: humanNumber(all - left), allToo: humanNumber(all) })
  const files = all === 1 ? 'file' : 'files'
  return undone === 0
    ? t('{all} {files} done', { all: humanNumber(all), files })
    : t('{all} of {allToo} {files} done', {
        all: humanNumber(all - undone),
        allToo: humanNumber(all),
        files,
      })
}

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

const Offline = () => (
  <p className="note">
    <Icon name="alert" />
    <span>
      {t('The connection is lost. The rest is sent when it is back; nothing is sent twice.')}
    </span>
  </p>
)

const Conflicts = ({ count }: { readonly count: number }) => (
  <div className="note spread">
    <span>
      {t('{count} stored with other content. Older versions stay in the history.', {
        count: count === 1 ? t('1 file is') : t('{count} files are', { count: humanNumber(count) }),
      })}
    </span>
    <span className="row">
      <Button onClick={() => uploads.decide('replace')}>{t('Replace all')}</Button>
      <Button onClick={() => uploads.decide('skip')}>{t('Skip all')}</Button>
    </span>
  </div>
)

function sumOf(items: readonly UploadItem[]) {
  const countByState = new Map<UploadState, number>()
  let wholeBytes = 0
  let sentBytes = 0
  let leftBytes = 0
  for (const { state, file, sentBytes: sent } of items) {
    countByState.set(state, (countByState.get(state) ?? 0) + 1)
    wholeBytes += file.size
    sentBytes += sent
    if (!isFinished({ state })) leftBytes += file.size - sent
  }
  return {
    wholeBytes,
    sentBytes,
    leftBytes,
    count: (state: UploadState) => countByState.get(state) ?? 0,
  }
}

function useWarningOnLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
