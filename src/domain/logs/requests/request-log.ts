import type { Log } from '../../../lib/log.ts'
import { Mutex } from '../../../lib/async/mutex.ts'
import type {
  RequestLine,
  RequestLogStore,
  TakenLines,
} from '../../../ports/traffic/request-log-store.ts'

/** Keeps a line for each request, for whoever looks after the service. */
export interface RequestLog extends AsyncDisposable {
  /** Takes lines over, and how many there were besides that nobody had room for. */
  take(taken: TakenLines): void
  /** Stores what waits. Never rejects. */
  flush(): Promise<void>
  /** Tells `listener` of lines as they are stored, oldest first. */
  watch(listener: RequestListener): Disposable
  /** Requests of which no line was kept, since the start. */
  readonly notKept: number
}

export type RequestListener = (lines: readonly RequestLine[]) => void

interface Dependencies {
  readonly store: Pick<RequestLogStore, 'append'>
  /** Lines that were noted in this process since the last time. */
  readonly drain: () => TakenLines
  /** Names this process for all time. */
  readonly process: string
  readonly log: Pick<Log, 'warn'>
}

/** A crash loses no more than what was noted in so long, and workers' as long again. */
const flushEveryMs = 500
/** What a disk that is slow or full keeps waiting must not fill the memory. */
const maxWaiting = 20_000

export function createRequestLog({ store, drain, process, log }: Dependencies): RequestLog {
  const listeners = new Set<RequestListener>()
  const mutex = new Mutex()
  let waiting: RequestLine[] = []
  let notKept = 0
  let numbered = 0
  /** Since writing began to fail; `undefined` while it works. */
  let lost: number | undefined

  function take({ lines, notKept: more }: TakenLines): void {
    const room = maxWaiting - waiting.length
    for (const line of lines.slice(0, room)) waiting.push(line)
    notKept += more + Math.max(0, lines.length - room)
  }

  const named = (line: RequestLine): RequestLine => {
    numbered += 1
    return { ...line, line: `${process}.${numbered.toString(36)}` }
  }

  async function flush(): Promise<void> {
    take(drain())
    using _turn = await mutex.acquire()
    if (waiting.length === 0) return
    // Those of several processes come after one another.
    const lines = waiting.toSorted((a, b) => a.at - b.at).map(named)
    waiting = []
    for (const listener of listeners) listener(lines)
    try {
      await store.append(lines)
      if (lost !== undefined) log.warn('requests are written to their log again', { lost })
      lost = undefined
    } catch (error) {
      notKept += lines.length
      // Once, until it works again: what says it is a line of a log, too.
      if (lost === undefined) log.warn('requests could not be written to their log', { error })
      lost = (lost ?? 0) + lines.length
    }
  }

  const timer = setInterval(() => void flush(), flushEveryMs)
  return {
    take,
    flush,
    watch(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    get notKept() {
      return notKept
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush()
    },
  }
}
