import type { Log } from '../../lib/log.ts'
import type { Feed } from '../../ports/records/manifest.ts'
import { hears } from '../../ports/records/webhook-deliveries.ts'
import type { WebhookTopic } from '../../ports/records/webhook-event.ts'
import type { WebhookOutbox } from '../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord, WebhookStore } from '../../ports/webhooks/webhook-store.ts'
import type { Deliver, OpenedWebhook } from './deliver.ts'
import { createEndpointWorker } from './endpoint-worker.ts'
import { createOutcomeRecorder } from './outcome-recorder.ts'
import { goesOnAfter } from './switch-off.ts'
import { createWorkerSet } from './worker-set.ts'

/** Delivers what the outbox holds: a worker for each active webhook, none of which waits for another. */
export interface WebhookDispatcher extends AsyncDisposable {
  /** Learns which webhooks there are now. */
  refresh(): Promise<void>
  /** A delivery of this webhook is wanted now. */
  hurry(webhookId: string): void
  /** Something was written down for those that hear of it. */
  readonly notify: (topics: readonly Pick<WebhookTopic, 'event' | 'zone'>[]) => void
  /** Starts what is due. To be called about once a second. */
  tick(): void
}

export interface DispatcherDependencies {
  readonly store: Pick<WebhookStore, 'list' | 'find' | 'change'>
  readonly outbox: Pick<WebhookOutbox, 'ready' | 'nextDueAt' | 'record'>
  readonly feed: Pick<Feed, 'subscribe'>
  readonly deliver: Deliver
  /** The webhook with its secrets in the clear; `undefined` where they cannot be decrypted. */
  readonly openWebhook: (webhook: WebhookRecord) => OpenedWebhook | undefined
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** How long the end waits for answers that are still to come. */
  readonly graceMs?: number
}

/** Begins with what an earlier process left. */
export async function openDispatcher(deps: DispatcherDependencies): Promise<WebhookDispatcher> {
  const { store, outbox, feed, deliver, openWebhook, now, log, graceMs = 2_000 } = deps
  const recorder = createOutcomeRecorder({ outbox, log })
  const ending = new AbortController()
  let refreshing: Promise<void> = Promise.resolve()

  async function readWebhooks(): Promise<void> {
    try {
      workers.arrange(await store.list())
    } catch (error) {
      log.warn('webhooks cannot be read', { error })
    }
  }

  /** One after another, so that what was read first is never the last word. */
  function refresh(): Promise<void> {
    refreshing = refreshing.then(readWebhooks)
    return refreshing
  }

  const workers = createWorkerSet({
    openWebhook,
    log,
    onLeft: () => void refresh(),
    startWorker: (opened) =>
      createEndpointWorker(opened, {
        outbox,
        recorder,
        deliver,
        now,
        log,
        signal: ending.signal,
        async afterFailure(outcome) {
          const goesOn = await goesOnAfter(outcome, deps)
          if (!goesOn) workers.retire(opened.id)
          return goesOn
        },
      }),
  })
  await refresh()
  const notify: WebhookDispatcher['notify'] = (topics) => {
    for (const { record, worker } of workers.all())
      if (topics.some((topic) => hears(record, topic))) worker.notify()
  }
  const subscription = feed.subscribe(notify)
  return {
    refresh,
    hurry: (id) => workers.find(id)?.hurry(),
    notify,
    tick() {
      for (const { worker } of workers.all()) worker.tick()
    },
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      const timer = setTimeout(() => ending.abort(), graceMs)
      await Promise.all([recorder.end(), workers.end()])
      clearTimeout(timer)
      await recorder.flush()
    },
  }
}
