import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { FeedPosition } from '../../../ports/edges/replica-store.ts'
import { invalid } from '../../errors.ts'

/** Before the first entry of any feed. */
export const beginning: FeedPosition = { seq: 0, atMs: 0 }

export const positionOf = ({ seq, at }: FeedEntry): FeedPosition => ({ seq, atMs: at.getTime() })

/** As it is sent: `<seq>.<milliseconds since 1970>`. */
export const positionText = ({ seq, atMs }: FeedPosition): string => `${seq}.${atMs}`

/** Refuses what is not a position; `field` is where it came from. */
export function parsePosition(text: string, field: string): FeedPosition {
  const [, seq, atMs] = /^(\d{1,15})\.(\d{1,15})$/u.exec(text) ?? []
  if (seq === undefined || atMs === undefined)
    throw invalid(field, 'must be a position of the feed, <seq>.<milliseconds>')
  return { seq: Number(seq), atMs: Number(atMs) }
}
