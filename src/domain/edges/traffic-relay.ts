import type { Log } from '../../lib/log.ts'
import { EdgeOriginError, type EdgeOrigin } from '../../ports/edges/edge-origin.ts'
import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import type { TrafficSpool } from '../../ports/traffic/traffic-spool.ts'

/** Hands what edges counted to the origin, in order, however long that is away. */
export interface TrafficRelay extends AsyncDisposable {
  /** Answers once it would outlive the process. A flush that is already there changes nothing there. */
  record(flush: TrafficFlush): Promise<boolean>
}

interface Dependencies {
  readonly spool: TrafficSpool
  readonly origin: Pick<EdgeOrigin, 'record'>
  readonly log: Pick<Log, 'warn'>
}

const flushesAtOnce = 20
const retryEveryMs = 5_000

export function createTrafficRelay({ spool, origin, log }: Dependencies): TrafficRelay {
  let sending: Promise<void> | undefined
  let isClosed = false

  async function sendAll(): Promise<void> {
    for (;;) {
      const oldest = await spool.oldest(flushesAtOnce)
      const last = oldest.at(-1)
      if (last === undefined) return
      await handOver(oldest.map(({ flush }) => flush))
      await spool.removeTo(last.place)
      if (oldest.length < flushesAtOnce) return
    }
  }

  /** What the origin will never take must not keep back all that comes after it. */
  async function handOver(flushes: readonly TrafficFlush[]): Promise<void> {
    try {
      await origin.record(flushes)
    } catch (error) {
      if (!(error instanceof EdgeOriginError) || !error.isRefusal) throw error
      if (flushes.length > 1) {
        for (const flush of flushes) await handOver([flush])
        return
      }
      const requests = flushes
        .flatMap(({ rows }) => rows)
        .reduce((sum, row) => sum + row.requests, 0)
      log.warn('the origin refused to count what this edge delivered', { requests, error })
    }
  }

  function send(): Promise<void> {
    sending ??= sendAll()
      // What could not be sent is tried again.
      .catch(() => undefined)
      .finally(() => {
        sending = undefined
      })
    return sending
  }

  const timer = setInterval(() => void send(), retryEveryMs)
  return {
    async record(flush) {
      const isAdded = await spool.add(flush)
      if (!isAdded) log.warn('there is no more room for what is not counted yet', {})
      if (!isClosed) void send()
      return isAdded
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearInterval(timer)
      await sending
      await send()
    },
  }
}
