import { humanNumber, humanTimeLeft } from '../parts/format.ts'
import { plural } from '../language/text.ts'
import { isFinished, type UploadItem, type UploadState } from './queue/upload-item.ts'
import type { UploadSnapshot } from './queue/upload-book.ts'

/** How far all uploads are together. */
export interface UploadSums {
  readonly wholeBytes: number
  readonly sentBytes: number
  readonly all: number
  /** How many are not finished. */
  readonly left: number
  /** Bytes a second; `undefined` while nothing is sent, or too little to tell from. */
  readonly pace: number | undefined
  /** In words, as roughly as it is known. */
  readonly timeLeft: string | undefined
  readonly state: 'sending' | 'paused' | 'offline' | 'done'
  readonly count: (state: UploadState) => number
}

export function sumsOf({ items, isOffline, bytesPerSecond }: UploadSnapshot): UploadSums {
  const countByState = new Map<UploadState, number>()
  const count = (state: UploadState): number => countByState.get(state) ?? 0
  let [wholeBytes, sentBytes, leftBytes, left] = [0, 0, 0, 0]
  for (const { state, file, sentBytes: sent } of items) {
    countByState.set(state, count(state) + 1)
    wholeBytes += file.size
    sentBytes += sent
    if (isFinished({ state })) continue
    left += 1
    leftBytes += file.size - sent
  }
  const pace = isOffline || count('sending') === 0 ? undefined : bytesPerSecond
  return {
    wholeBytes,
    sentBytes,
    all: items.length,
    left,
    pace,
    timeLeft: pace === undefined ? undefined : humanTimeLeft(leftBytes / pace),
    state: isOffline ? 'offline' : stateOf(left, count('paused')),
    count,
  }
}

function stateOf(left: number, paused: number): UploadSums['state'] {
  if (left === 0) return 'done'
  return left === paused ? 'paused' : 'sending'
}

/** E.g. `3 of 12 files`, and once all is over `12 files done`. */
export function titleOf({ all, left, count }: UploadSums): string {
  const undone = count('failed') + count('cancelled')
  if (left > 0)
    return plural(
      all,
      { one: '{done} of {count} file', other: '{done} of {count} files' },
      { done: humanNumber(all - left) },
    )
  if (undone === 0) return plural(all, { one: '{count} file done', other: '{count} files done' })
  return plural(
    all,
    { one: '{done} of {count} file done', other: '{done} of {count} files done' },
    { done: humanNumber(all - undone) },
  )
}

const waits = ({ state }: UploadItem): boolean => state === 'conflict' || state === 'failed'

/** What waits for somebody is not to be looked for among thousands. */
export const attentionFirst = (items: readonly UploadItem[]): readonly UploadItem[] =>
  items.some(waits) ? items.toSorted((a, b) => Number(waits(b)) - Number(waits(a))) : items
