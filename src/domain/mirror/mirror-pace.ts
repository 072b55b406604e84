import { backOffMs } from '../../lib/async/back-off.ts'

/** What the next round waits for. */
export interface MirrorNeeds {
  readonly pendingCommits: number
  /** Rounds that failed since the last one that did not. */
  readonly failures: number
  /** Since the last round began, and since it ended. */
  readonly sinceBeganMs: number
  readonly sinceEndedMs: number
  /** Whether the remote is looked at even where there is nothing to push. */
  readonly looks: boolean
  /** 0 to 1, for this round. */
  readonly chance: number
}

/** Hosts take six pushes a minute. */
const betweenPushesMs = 10_000
const manyCommits = 500
const betweenLooksMs = 30_000
const firstPauseMs = 10_000
const longestPauseMs = 600_000

/** Milliseconds until the next round is due, 0 for now; `undefined` where there is no reason for one. */
export function dueInMs(needs: MirrorNeeds): number | undefined {
  const { pendingCommits, failures, sinceBeganMs, sinceEndedMs, looks } = needs
  if (failures > 0) return left(pauseMs(needs), sinceEndedMs)
  if (pendingCommits >= manyCommits) return 0
  if (pendingCommits > 0) return left(betweenPushesMs, sinceBeganMs)
  return looks ? left(betweenLooksMs, sinceBeganMs) : undefined
}

const pauseMs = ({ failures, chance }: MirrorNeeds): number =>
  backOffMs(failures, { firstMs: firstPauseMs, longestMs: longestPauseMs, random: chance })

const left = (wantedMs: number, passedMs: number): number => Math.max(0, wantedMs - passedMs)
