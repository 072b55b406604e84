import type { AudienceRow } from '../../ports/traffic/traffic-store.ts'
import type { HitRow } from '../../edge/hits/hit-counter.ts'
import type { HitTap } from '../../edge/hits/hit-tap.ts'
import type { FromWorker } from './worker-messages.ts'

/** Sends what a worker counted to the main process, each count once. */
export interface HitReporter {
  /** Sends what was counted since the last time. */
  report(): void
  /** The main process has this number. */
  counted(number: number): void
  /** Sends the rest; resolves once it has arrived, or cannot be hoped to any more. */
  finish(): Promise<void>
}

interface Dependencies {
  readonly tap: HitTap
  readonly send: (message: FromWorker) => void
}

const finishWithinMs = 2_000

export function createHitReporter({ tap, send }: Dependencies): HitReporter {
  const allCounted = Promise.withResolvers<void>()
  let number = 0
  let countedNumber = 0
  let isFinishing = false

  function report(): void {
    const rows = tap
      .drain()
      .filter(({ requests, bytes, aborted }) => requests + bytes + aborted > 0)
    const audience = tap.audience.take()
    if (rows.length === 0 && audience.length === 0) return
    number += 1
    send({ kind: 'hits', number, rows, audience, dropped: tap.dropped })
  }

  function settle(): void {
    if (isFinishing && countedNumber === number) allCounted.resolve()
  }

  return {
    report,
    counted(newest) {
      countedNumber = newest
      settle()
    },
    async finish() {
      report()
      isFinishing = true
      settle()
      const timer = setTimeout(() => allCounted.resolve(), finishWithinMs)
      await allCounted.promise
      clearTimeout(timer)
    },
  }
}

type Hits = Extract<FromWorker, { readonly kind: 'hits' }>

interface Intake {
  readonly countHits: (rows: readonly HitRow[], audience: readonly AudienceRow[]) => void
  /** So many more hits could not be counted. */
  readonly onDropped: (hits: number) => void
}

/** The main process's end, one for each worker: a number that was counted is not counted again. */
export function createHitIntake({ countHits, onDropped }: Intake): (hits: Hits) => number {
  let newest = 0
  let droppedBefore = 0
  return ({ number, rows, audience, dropped }) => {
    if (number <= newest) return newest
    newest = number
    countHits(rows, audience)
    if (dropped > droppedBefore) onDropped(dropped - droppedBefore)
    droppedBefore = dropped
    return newest
  }
}
