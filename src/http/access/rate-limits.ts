import { networkOf } from '../../lib/net/address-list.ts'
import { limitReached, type RateLimitState } from '../response/rate-limit-fields.ts'

/** One row of the table of limits. */
export interface RateLimit {
  readonly name: string
  readonly quota: number
  /** Seconds from a caller's first request on, or a UTC calendar window. */
  readonly window: number | 'day' | 'month'
  /** Whether every client has its own quota, or all share one. */
  readonly per: 'client' | 'everyone'
}

export interface WindowCharge {
  /** Names the row and whom it counts. */
  readonly key: string
  readonly quota: number
  readonly cost: number
  readonly now: Date
  /** When a window that begins now ends. */
  readonly endsAt: Date
}

/** Counted use of one window. */
export interface WindowUse {
  readonly isGranted: boolean
  /** After the charge, where it was granted. */
  readonly used: number
  readonly endsAt: Date
}

export interface RateWindows {
  /** Adds `cost` unless that would go over the quota; then nothing changes. */
  charge(charge: WindowCharge): WindowUse
  /** What is used of one, where it is still running. */
  peek(key: string, now: Date): Omit<WindowUse, 'isGranted'> | undefined
}

export interface RateLimits {
  /** Charges the row called `name`. Throws `limit_reached` where it is used up. */
  charge(name: string, clientAddress: string, cost?: number): RateLimitState
  /** How each row stands for that client. */
  states(clientAddress: string): readonly RateLimitState[]
}

export function createRateLimits(deps: {
  readonly rows: readonly RateLimit[]
  readonly windows: RateWindows
  readonly now: () => Date
}): RateLimits {
  const rows = new Map(deps.rows.map((row) => [row.name, row]))
  const keyOf = ({ name, per }: RateLimit, clientAddress: string) =>
    per === 'client' ? `${name} ${networkOf(clientAddress)}` : name
  return {
    states(clientAddress) {
      const now = deps.now()
      return deps.rows.map((row) => {
        const { startedAt, endsAt } = windowAt(row.window, now)
        const use = deps.windows.peek(keyOf(row, clientAddress), now) ?? { used: 0, endsAt }
        return stateOf(row, { use, windowMs: endsAt.getTime() - startedAt.getTime(), now })
      })
    },
    charge(name, clientAddress, cost = 1) {
      const row = rows.get(name)
      if (row === undefined) throw new Error(`there is no rate limit called ${name}`)
      const now = deps.now()
      const { startedAt, endsAt } = windowAt(row.window, now)
      const key = keyOf(row, clientAddress)
      const use = deps.windows.charge({ key, quota: row.quota, cost, now, endsAt })
      const state = stateOf(row, { use, windowMs: endsAt.getTime() - startedAt.getTime(), now })
      if (!use.isGranted) throw limitReached(state)
      return state
    },
  }
}

const stateOf = (
  { name, quota }: RateLimit,
  {
    use,
    windowMs,
    now,
  }: {
    readonly use: Omit<WindowUse, 'isGranted'>
    readonly windowMs: number
    readonly now: Date
  },
): RateLimitState => ({
  name,
  quota,
  windowSeconds: Math.round(windowMs / 1000),
  remaining: Math.max(0, quota - use.used),
  resetSeconds: Math.max(1, Math.ceil((use.endsAt.getTime() - now.getTime()) / 1000)),
})

/** The window a charge at `now` belongs to; one of seconds begins with the charge itself. */
function windowAt(window: RateLimit['window'], now: Date) {
  if (typeof window === 'number')
    return { startedAt: now, endsAt: new Date(now.getTime() + window * 1000) }
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return window === 'day'
    ? { startedAt: utc(year, month, day), endsAt: utc(year, month, day + 1) }
    : { startedAt: utc(year, month, 1), endsAt: utc(year, month + 1, 1) }
}

const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day))

/**
 * Windows in this process's memory. At most `maxWindows` are kept, so that a flood of addresses cannot
 * fill it; those that began longest ago are forgotten first.
 */
export function createMemoryRateWindows(maxWindows = 100_000): RateWindows {
  const windows = new Map<string, { used: number; readonly endsAt: Date }>()
  return {
    peek(key, now) {
      const kept = windows.get(key)
      return kept !== undefined && kept.endsAt > now ? kept : undefined
    },
    charge({ key, quota, cost, now, endsAt }) {
      const kept = windows.get(key)
      const isRunning = kept !== undefined && kept.endsAt > now
      const window = isRunning ? kept : { used: 0, endsAt }
      if (!isRunning) {
        // Deleting first keeps the map in the order in which windows began.
        windows.delete(key)
        windows.set(key, window)
        forgetOldest(windows, maxWindows)
      }
      const isGranted = window.used + cost <= quota
      if (isGranted) window.used += cost
      return { isGranted, used: window.used, endsAt: window.endsAt }
    },
  }
}

function forgetOldest(windows: Map<string, unknown>, maxWindows: number): void {
  if (windows.size <= maxWindows) return
  const [oldest] = windows.keys()
  if (oldest !== undefined) windows.delete(oldest)
}
