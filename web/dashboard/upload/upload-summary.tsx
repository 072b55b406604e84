import { type ReactNode, useEffect } from 'react'

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
    <section className="card stack" aria-label="Progress">
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
        aria-label="All uploads"
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
        {humanBytes(sentBytes)} of {humanBytes(wholeBytes)}
        {pace !== undefined && `, ${humanBytes(pace)} a second`}
        {timeLeft !== undefined && `, ${timeLeft}`}
        {count('live') + count('unchanged') > 0 &&
          `, ${humanNumber(count('live') + count('unchanged'))} live`}
        {count('stored') > 0 && `, ${humanNumber(count('stored'))} pending`}
        {count('failed') > 0 && `, ${humanNumber(count('failed'))} failed`}
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
        {paused === left ? 'Go on with all' : 'Pause all'}
      </Button>
    )}
    {failed > 0 && (
      <Button icon="retry" onClick={() => uploads.retry()}>
        Try failed again
      </Button>
    )}
    {left > 0 && <Button onClick={() => uploads.cancel()}>Cancel all</Button>}
    <Button kind="quiet" onClick={() => uploads.clear()}>
      Clear finished
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
  if (left > 0) return `${humanNumber(all - left)} of ${humanNumber(all)} files`
  const files = all === 1 ? 'file' : 'files'
  return undone === 0
    ? `${humanNumber(all)} ${files} done`
    : `${humanNumber(all - undone)} of ${humanNumber(all)} ${files} done`
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
    <span>The connection is lost. The rest is sent when it is back; nothing is sent twice.</span>
  </p>
)

const Conflicts = ({ count }: { readonly count: number }) => (
  <div className="note spread">
    <span>
      {count === 1 ? '1 file is' : `${humanNumber(count)} files are`} stored with other content.
      Older versions stay in the history.
    </span>
    <span className="row">
      <Button onClick={() => uploads.decide('replace')}>Replace all</Button>
      <Button onClick={() => uploads.decide('skip')}>Skip all</Button>
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
