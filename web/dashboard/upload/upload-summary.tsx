import { type ReactNode, useEffect } from 'react'

import { Button } from '../parts/forms/button.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { isFinished, type UploadItem, type UploadState } from './queue/upload-item.ts'
import type { UploadSnapshot } from './queue/upload-book.ts'
import { uploads } from './queue/uploads.ts'

interface UploadSummaryProps extends UploadSnapshot {
  readonly children: ReactNode
}

/** How far it all is, and what needs a word. */
export function UploadSummary({ items, isOffline, children }: UploadSummaryProps) {
  const { wholeBytes, sentBytes, count } = sumOf(items)
  const left = items.filter((item) => !isFinished(item)).length
  useWarningOnLeaving(left > 0)
  return (
    <section className="card stack" aria-label="Progress">
      <div className="spread">
        <p role="status">
          <strong>
            {titleOf({ all: items.length, left, undone: count('failed') + count('cancelled') })}
          </strong>{' '}
          <span className="fine-print">
            {humanBytes(sentBytes)} of {humanBytes(wholeBytes)}
            {count('live') + count('unchanged') > 0 &&
              `, ${humanNumber(count('live') + count('unchanged'))} live`}
            {count('stored') > 0 && `, ${humanNumber(count('stored'))} pending`}
            {count('failed') > 0 && `, ${humanNumber(count('failed'))} failed`}
          </span>
        </p>
        <div className="row">
          {count('failed') > 0 && (
            <Button icon="retry" onClick={() => uploads.retry()}>
              Try failed again
            </Button>
          )}
          {left > 0 && <Button onClick={() => uploads.cancel()}>Cancel all</Button>}
          <Button kind="quiet" onClick={() => uploads.clear()}>
            Clear finished
          </Button>
        </div>
      </div>
      <progress
        className="progress"
        aria-label="All uploads"
        max={Math.max(1, wholeBytes)}
        value={sentBytes}
      />
      {children}
      {isOffline && <Offline />}
      {count('conflict') > 0 && <Conflicts count={count('conflict')} />}
    </section>
  )
}

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
  for (const { state, file, sentBytes: sent } of items) {
    countByState.set(state, (countByState.get(state) ?? 0) + 1)
    wholeBytes += file.size
    sentBytes += sent
  }
  return { wholeBytes, sentBytes, count: (state: UploadState) => countByState.get(state) ?? 0 }
}

function useWarningOnLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
