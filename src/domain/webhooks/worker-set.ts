import type { Log } from '../../lib/log.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import type { OpenedWebhook } from './deliver.ts'
import type { EndpointWorker } from './endpoint-worker.ts'

/** A worker for each active webhook, and never two for one. */
export interface WorkerSet {
  /** Starts, stops and instructs workers, so that there is one for each active webhook among these. */
  arrange(records: readonly WebhookRecord[]): void
  find(id: string): EndpointWorker | undefined
  /** Stops one, whatever its webhook is by now. */
  retire(id: string): void
  all(): Iterable<Working>
  /** Starts none any more. Resolves once all have ended. */
  end(): Promise<void>
}

export interface Working {
  /** As it was last read. */
  record: WebhookRecord
  readonly worker: EndpointWorker
}

interface Dependencies {
  readonly startWorker: (opened: OpenedWebhook) => EndpointWorker
  /** `undefined` where its secrets cannot be decrypted. */
  readonly openWebhook: (webhook: WebhookRecord) => OpenedWebhook | undefined
  /** Called when a worker has ended at last: there may be need for another in its place. */
  readonly onLeft: () => void
  readonly log: Pick<Log, 'warn'>
}

export function createWorkerSet(dependencies: Dependencies): WorkerSet {
  const { startWorker, openWebhook, onLeft, log } = dependencies
  const workingById = new Map<string, Working>()
  const leavingById = new Map<string, Promise<void>>()
  let isEnding = false

  function stop(id: string): void {
    const worker = workingById.get(id)?.worker
    if (worker === undefined) return
    workingById.delete(id)
    const left = worker.end().finally(() => {
      leavingById.delete(id)
      if (!isEnding) onLeft()
    })
    leavingById.set(id, left)
  }

  function employ(record: WebhookRecord): void {
    const opened = openWebhook(record)
    const working = workingById.get(record.id)
    if (opened === undefined) {
      log.warn('the secret of a webhook cannot be decrypted; was WEBHOOK_SECRET_KEY changed?', {
        webhook: record.id,
      })
    } else if (working) {
      working.record = record
      working.worker.webhook = opened
    } else if (!leavingById.has(record.id)) {
      workingById.set(record.id, { record, worker: startWorker(opened) })
    }
  }

  return {
    arrange(records) {
      if (isEnding) return
      const active = records.filter((record) => record.active)
      const activeIds = new Set(active.map(({ id }) => id))
      for (const id of workingById.keys()) if (!activeIds.has(id)) stop(id)
      for (const record of active) employ(record)
    },
    find: (id) => workingById.get(id)?.worker,
    retire: stop,
    all: () => workingById.values(),
    async end() {
      isEnding = true
      for (const id of workingById.keys()) stop(id)
      await Promise.all(leavingById.values())
    },
  }
}
