import type { Log } from '../../lib/log.ts'
import type { Outcome, WebhookOutbox } from '../../ports/webhooks/webhook-outbox.ts'

/** Writes outcomes down, many in one transaction: each would cost a flush of its own. */
export interface OutcomeRecorder {
  add(outcome: Outcome): void
  /** Resolves once all that was added so far is durable, or cannot be because of the end. */
  flush(): Promise<void>
  /** From now on what cannot be written at once is given up: it will be sent again. */
  end(): Promise<void>
}

interface Dependencies {
  readonly outbox: Pick<WebhookOutbox, 'record'>
  readonly log: Pick<Log, 'warn'>
  /** How long an outcome waits for others. */
  readonly flushMs?: number
  readonly retryMs?: number
}

export function createOutcomeRecorder(dependencies: Dependencies): OutcomeRecorder {
  const { outbox, log, flushMs = 100, retryMs = 1_000 } = dependencies
  const ending = new AbortController()
  let waiting: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(outcomes: readonly Outcome[]): Promise<void> {
    for (;;)
      try {
        await outbox.record(outcomes)
        return
      } catch (error) {
        log.warn('outcomes of webhook deliveries cannot be recorded', { error })
        if (ending.signal.aborted) return
        await pause(retryMs, ending.signal)
      }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) {
      const outcomes = waiting
      waiting = []
      writing = writing.then(() => write(outcomes))
    }
    return writing
  }

  return {
    add(outcome) {
      waiting.push(outcome)
      timer ??= setTimeout(() => void flush(), flushMs)
    },
    flush,
    async end() {
      ending.abort()
      await flush()
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
