import { SqlLogStore } from '../adapters/sql/traffic/sql-log-store.ts'
import type { LogListener, LogRecorder } from '../domain/logs/log-recorder.ts'
import type { Endpoint } from '../http/operation.ts'
import { listLogs } from '../planes/observability/logs.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { Insights } from './insights.ts'
import { openRequests, searchableRequests } from './requests/requests.ts'
import type { World } from './world.ts'

export type Logs = Awaited<ReturnType<typeof openLogs>>

interface ForEndpoint {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly insights: Insights
  readonly logs: Logs
}

/** Both logs, to be read. */
export const logsEndpoint = ({ now }: World, opened: ForEndpoint): Endpoint =>
  listLogs.endpoint({
    ...opened.logs,
    requests: searchableRequests(opened),
    audit: opened.stores.audit,
    published: opened.publishing.catalog,
    eventStreams: opened.insights.eventStreams,
    now,
  })

interface Opened {
  readonly recorder: LogRecorder
  readonly stores: Stores
  readonly opening: AsyncDisposableStack
}

/** Where what the log says is kept for reading, and a line for each request. */
export async function openLogs(world: World, { recorder, stores, opening }: Opened) {
  const logs = new SqlLogStore(stores.database)
  recorder.storeIn(logs)
  opening.use(recorder)
  const requests = await openRequests(world, opening)
  return {
    logs,
    requests,
    requestStore: requests.store,
    flushLogs: () => recorder.flush(),
    watchLogs: (listener: LogListener) => recorder.watch(listener),
  }
}
