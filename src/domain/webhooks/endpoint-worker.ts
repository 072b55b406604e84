import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import type { Log } from '../../lib/log.ts'
import type { Delivery, Outcome, WebhookOutbox } from '../../ports/webhooks/webhook-outbox.ts'
import type { Deliver, OpenedWebhook } from './deliver.ts'
import type { OutcomeRecorder } from './outcome-recorder.ts'
import { holdingFailures } from './schedule.ts'

/** Delivers to one endpoint, and waits for no other. Begins at once. */
export interface EndpointWorker {
  webhook: OpenedWebhook
  /** There is something new. It waits where an event before it is still to be tried again. */
  notify(): void
  /** Somebody asked for a delivery now. */
  hurry(): void
  /** Time has passed. Costs nothing unless something is due. */
  tick(): void
  /** Begins nothing more. Resolves once what is under way has ended. */
  end(): Promise<void>
}

export interface WorkerDependencies {
  readonly outbox: Pick<WebhookOutbox, 'ready' | 'nextDueAt'>
  readonly recorder: OutcomeRecorder
  readonly deliver: Deliver
  readonly now: () => Date
  /** Ends requests under way; what became of them is not known then. */
  readonly signal: AbortSignal
  /** Told after a failure was recorded. Answers whether to go on. */
  readonly afterFailure: (outcome: Outcome) => Promise<boolean>
  readonly log: Pick<Log, 'warn'>
}

/** Read at once; small enough that a crash repeats few. */
const batchSize = 256
/** Requests to one endpoint at a time, where it does not care for order. */
const unorderedRequests = 4
/** After a fault of our own. */
const restMs = 5_000

export function createEndpointWorker(
  opened: OpenedWebhook,
  dependencies: WorkerDependencies,
): EndpointWorker {
  const { outbox, recorder, now, log } = dependencies
  const state = { webhook: opened, isEnding: false, isReplaced: false, isAgain: false }
  let holdUntil: Date | undefined
  let dueAt: Date | undefined = now()
  let running: Promise<void> | undefined

  async function pass(): Promise<Date | undefined> {
    while (!state.isEnding) {
      const { id, ordered } = state.webhook
      state.isReplaced = false
      const query = { now: now(), limit: batchSize, holdingFailures: ordered ? holdingFailures : 0 }
      const ready = await outbox.ready(id, query)
      holdUntil = await deliverAll(ready, state, dependencies)
      await recorder.flush()
      if (holdUntil !== undefined && !state.isReplaced) return holdUntil
      if (ready.length < batchSize && !state.isReplaced) return await outbox.nextDueAt(id)
    }
    return undefined
  }

  async function drain(): Promise<void> {
    try {
      do {
        state.isAgain = false
        dueAt = await pass()
      } while (state.isAgain && !state.isEnding)
    } catch (error) {
      log.warn('a webhook worker failed and will try again', { webhook: state.webhook.id, error })
      dueAt = new Date(now().getTime() + restMs)
    } finally {
      running = undefined
    }
  }

  function start(): void {
    state.isAgain = true
    if (!state.isEnding) running ??= drain()
  }

  start()
  return {
    get webhook() {
      return state.webhook
    },
    set webhook(webhook) {
      Object.assign(state, { webhook, isReplaced: true })
    },
    notify() {
      if (holdUntil === undefined || holdUntil <= now()) start()
    },
    hurry: start,
    tick() {
      if (dueAt !== undefined && dueAt <= now()) start()
    },
    async end() {
      state.isEnding = true
      await running
    },
  }
}

interface WorkerState {
  readonly webhook: OpenedWebhook
  isEnding: boolean
  /** What was read is to be read again: it may be for others than before. */
  isReplaced: boolean
}

/** Answers until when the rest has to wait, where one of them holds it up. */
async function deliverAll(
  ready: readonly Delivery[],
  state: WorkerState,
  dependencies: WorkerDependencies,
): Promise<Date | undefined> {
  const { now } = dependencies
  if (!state.webhook.ordered) {
    await mapConcurrently(ready, unorderedRequests, (delivery) =>
      deliverOne(delivery, state, dependencies),
    )
    return undefined
  }
  for (const delivery of ready) {
    const { failures, nextAttemptAt } = delivery
    if (failures > 0 && nextAttemptAt !== undefined && nextAttemptAt > now()) return nextAttemptAt
    const outcome = await deliverOne(delivery, state, dependencies)
    if (outcome?.nextAttemptAt !== undefined && outcome.failures < holdingFailures)
      return outcome.nextAttemptAt
  }
  return undefined
}

async function deliverOne(
  delivery: Delivery,
  state: WorkerState,
  { deliver, recorder, signal, afterFailure }: WorkerDependencies,
): Promise<Outcome | undefined> {
  if (state.isEnding || state.isReplaced) return undefined
  const outcome = await deliver(state.webhook, delivery, signal)
  // What was broken off on purpose says nothing of the endpoint.
  if (signal.aborted && outcome.state !== 'delivered') return undefined
  recorder.add(outcome)
  if (outcome.state === 'delivered') return outcome
  await recorder.flush()
  if (!(await afterFailure(outcome))) state.isEnding = true
  return outcome
}
