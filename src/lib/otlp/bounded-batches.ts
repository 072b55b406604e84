import { backOffMs } from '../async/back-off.ts'
import type { SendOutcome } from './otlp-receiver.ts'

/** Items on their way to a receiver that may be slow or away. Adding one waits for nothing. */
export interface BoundedBatches<Item> {
  add(item: Item): void
  /** Items that nobody had room for, or that the receiver refused. */
  readonly dropped: number
  /** Sends what waits, once; resolves whatever comes of it. */
  finish(): Promise<void>
}

interface Options<Item> {
  readonly send: (items: readonly Item[]) => Promise<SendOutcome>
  readonly everyMs: number
  readonly monotonicMs: () => number
  readonly random: () => number
  /** Is told the reason as sending begins to fail, and nothing again until it has worked. */
  readonly onTrouble: (reason: string) => void
}

/** What is added beyond is dropped: a receiver that is away must not fill the memory. */
const maxWaiting = 2_048
const maxBatch = 512
const backOff = { firstMs: 1_000, longestMs: 60_000 }

export function createBoundedBatches<Item>(options: Options<Item>): BoundedBatches<Item> {
  const { send, everyMs, monotonicMs, random, onTrouble } = options
  let waiting: Item[] = []
  let dropped = 0
  let failures = 0
  let notBeforeMs = 0
  let sending: Promise<void> | undefined

  async function sendNext(): Promise<void> {
    const batch = waiting.slice(0, maxBatch)
    const outcome = await send(batch)
    if (outcome.kind !== 'taken' && failures === 0) onTrouble(outcome.reason)
    if (outcome.kind === 'taken') failures = 0
    else failures += 1
    if (outcome.kind === 'later') {
      const pauseMs = Math.max(
        backOffMs(failures, { ...backOff, random: random() }),
        outcome.afterMs,
      )
      notBeforeMs = monotonicMs() + pauseMs
      return
    }
    if (outcome.kind === 'refused') dropped += batch.length
    waiting = waiting.slice(batch.length)
  }

  /** One batch at a time: what a slow receiver has not taken waits here. */
  async function sendAll(): Promise<void> {
    do await sendNext()
    while (failures === 0 && waiting.length >= maxBatch)
  }

  function start(): void {
    if (sending !== undefined || waiting.length === 0 || monotonicMs() < notBeforeMs) return
    sending = sendAll().finally(() => {
      sending = undefined
    })
  }

  const timer = setInterval(start, everyMs)
  timer.unref()
  return {
    add(item) {
      if (waiting.length >= maxWaiting) dropped += 1
      else if (waiting.push(item) === maxBatch) start()
    },
    get dropped() {
      return dropped
    },
    async finish() {
      clearInterval(timer)
      await sending
      if (failures > 0) return
      while (waiting.length > 0 && failures === 0) await sendNext()
    },
  }
}
