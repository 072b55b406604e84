import type { Log, LogFields } from '../../lib/log.ts'
import type { LogRecord, LogRecordLevel, LogStore } from '../../ports/traffic/log-store.ts'
import { logRecordOf } from './log-record-of.ts'

/** Keeps what the log says that an operator may want to read later. */
export interface LogRecorder extends AsyncDisposable {
  /** The same log, with a copy of what is worth keeping for this recorder. */
  listenTo(log: Log): Log
  /** Where records go from now on; until then they wait. */
  storeIn(store: LogStore): void
  /** Stores what waits. Never rejects. */
  flush(): Promise<void>
  /** Tells `listener` of every record from now on. */
  watch(listener: LogListener): Disposable
  /** Records that were never kept, because there were too many or the store failed. */
  readonly lost: number
}

export type LogListener = (record: LogRecord) => void

const flushEveryMs = 1_000
/** A flood of refusals must fill neither the memory nor the store. */
const maxWaiting = 1_000

export function createLogRecorder({ now }: { readonly now: () => Date }): LogRecorder {
  const listeners = new Set<LogListener>()
  let waiting: LogRecord[] = []
  let overflow = 0
  let lost = 0
  let store: LogStore | undefined
  let timer: Timer | undefined

  function record(level: LogRecordLevel, message: string, fields: LogFields): void {
    if (waiting.length >= maxWaiting) {
      overflow += 1
      lost += 1
      return
    }
    const kept = logRecordOf({ at: now(), level, message }, fields)
    waiting.push(kept)
    for (const listener of listeners) listener(kept)
    if (store !== undefined) timer ??= setTimeout(() => void flush(), flushEveryMs)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (store === undefined || waiting.length === 0) return
    const records = overflow === 0 ? waiting : [...waiting, overflowRecord(overflow, now())]
    waiting = []
    overflow = 0
    try {
      await store.append(records)
    } catch {
      // To log this would be to record it: the store says itself that it is unwell (see health).
      lost += records.length
    }
  }

  return {
    listenTo: (log) => listening(log, record),
    storeIn(given) {
      store = given
      if (waiting.length > 0) timer ??= setTimeout(() => void flush(), flushEveryMs)
    },
    flush,
    watch(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    get lost() {
      return lost
    },
    [Symbol.asyncDispose]: flush,
  }
}

type Keep = (level: LogRecordLevel, message: string, fields: LogFields) => void

const listening = (log: Log, record: Keep): Log => ({
  debug(message, fields = {}) {
    log.debug(message, fields)
    if (isRefusal(fields)) record('info', message, fields)
  },
  info: (message, fields) => log.info(message, fields),
  warn(message, fields = {}) {
    log.warn(message, fields)
    record('warn', message, fields)
  },
  error(message, fields = {}) {
    log.error(message, fields)
    record('error', message, fields)
  },
})

/** What callers do wrong is logged for debugging alone, but kept by its code. */
const isRefusal = (fields: LogFields): boolean => typeof fields['code'] === 'string'

const overflowRecord = (count: number, at: Date): LogRecord => ({
  at,
  level: 'warn',
  code: undefined,
  message: 'there were more records than can be kept',
  requestId: undefined,
  zone: undefined,
  fields: { notKept: count },
})
