import { SqlLogStore } from '../adapters/sql/traffic/sql-log-store.ts'
import type { LogListener, LogRecorder } from '../domain/logs/log-recorder.ts'
import type { Stores } from './content/stores.ts'

export type Logs = ReturnType<typeof openLogs>

/** Where what the log says is kept for reading. */
export function openLogs(
  recorder: LogRecorder,
  { stores, opening }: { readonly stores: Stores; readonly opening: AsyncDisposableStack },
) {
  const logs = new SqlLogStore(stores.database)
  recorder.storeIn(logs)
  opening.use(recorder)
  return {
    logs,
    flushLogs: () => recorder.flush(),
    watchLogs: (listener: LogListener) => recorder.watch(listener),
  }
}
