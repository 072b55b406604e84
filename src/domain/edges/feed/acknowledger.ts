import type { Log } from '../../../lib/log.ts'
import type { Acknowledgement, EdgeOrigin } from '../../../ports/edges/edge-origin.ts'

/** Tells the origin what this edge, and those behind it, serve. */
export interface Acknowledger extends AsyncDisposable {
  /** What is said of one edge replaces what was said of it before. */
  note(acknowledgement: Acknowledgement): void
  /** The number that the origin stood at when it was last told; 0 before. */
  readonly originSeq: number
}

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'acknowledge'>
  readonly log: Pick<Log, 'warn'>
}

/** What is noted within this time is told together. */
const gatherMs = 100
/** However little changes, the origin hears of the edge so often. */
const aliveEveryMs = 10_000

export function createAcknowledger({ origin, log }: Dependencies): Acknowledger {
  const newestByName = new Map<string, Acknowledgement>()
  const untold = new Set<string>()
  let timer: Timer | undefined
  let sending: Promise<void> = Promise.resolve()
  let hasFailed = false
  let originSeq = 0

  async function send(): Promise<void> {
    const names = [...untold]
    untold.clear()
    if (names.length === 0) return
    try {
      originSeq = await origin.acknowledge(names.flatMap((name) => newestByName.get(name) ?? []))
      hasFailed = false
    } catch (error) {
      // It is told with the next sign of life.
      for (const name of names) untold.add(name)
      if (!hasFailed) log.warn('the origin could not be told what this edge serves', { error })
      hasFailed = true
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      sending = sending.then(send)
    }, gatherMs)
  }

  const own = new Set<string>()
  const alive = setInterval(() => {
    for (const name of own) untold.add(name)
    if (untold.size > 0) schedule()
  }, aliveEveryMs)
  return {
    note(acknowledgement) {
      const { name, via } = acknowledgement
      if (via === undefined) own.add(name)
      newestByName.set(name, acknowledgement)
      untold.add(name)
      schedule()
    },
    get originSeq() {
      return originSeq
    },
    async [Symbol.asyncDispose]() {
      clearInterval(alive)
      clearTimeout(timer)
      await sending
    },
  }
}
