import { networkOf } from '../../lib/net/address-list.ts'
import { limitReached, type RateLimitState } from '../response/rate-limit-fields.ts'

/** One row of the table of limits. */
export interface RateLimit {
  readonly name: string
  readonly quota: number
  /** Seconds from a caller's first request on, or a UTC calendar window. */
  readonly window: number | 'day' | 'month'
  /** Whether every client has its own quota, or every zone, or all share one. */
  readonly per: 'client' | 'zone' | 'everyone'
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
  /**
   * Charges the row called `name` for a client's address, or a zone by its name. Throws `limit_reached` where it
   * is used up.
   */
  charge(name: string, subject: string, cost?: number): RateLimitState
  /** The same of what is there already: what is beyond the quota is not refused any more. */
  use(name: string, subject: string, cost: number): void
  /** Throws `limit_reached` where the row is used up; charges nothing. */
  requireLeft(name: string, subject: string): void
  /** How each row stands for that client. */
  states(clientAddress: string): readonly RateLimitState[]
  statesOfZone(zone: string): readonly RateLimitState[]
}

export function createRateLimits(deps: {
  readonly rows: readonly RateLimit[]
  readonly windows: RateWindows
  readonly now: () => Date
}): RateLimits {
  const rows = new Map(deps.rows.map((row) => [row.name, row]))
  const rowOf = (name: string): RateLimit => {
    const row = rows.get(name)
    if (row === undefined) throw new Error(`there is no rate limit called ${name}`)
    return row
  }
  const standingOf = (row: RateLimit, subject: string): RateLimitState => {
    const now = deps.now()
    const { startedAt, endsAt } = windowAt(row.window, now)
    const use = deps.windows.peek(keyOf(row, subject), now) ?? { used: 0, endsAt }
    return stateOf(row, { use, windowMs: endsAt.getTime() - startedAt.getTime(), now })
  }
  const charge = (row: RateLimit, subject: string, cost: number) => {
    const now = deps.now()
    const { startedAt, endsAt } = windowAt(row.window, now)
    const key = keyOf(row, subject)
    const use = deps.windows.charge({ key, quota: row.quota, cost, now, endsAt })
    const state = stateOf(row, { use, windowMs: endsAt.getTime() - startedAt.getTime(), now })
    return { isGranted: use.isGranted, state }
  }
  return {
    states: (clientAddress) =>
      deps.rows.filter(({ per }) => per !== 'zone').map((row) => standingOf(row, clientAddress)),
    statesOfZone: (zone) =>
      deps.rows.filter(({ per }) => per === 'zone').map((row) => standingOf(row, zone)),
    charge(name, subject, cost = 1) {
      const { isGranted, state } = charge(rowOf(name), subject, cost)
      if (!isGranted) throw limitReached(state)
      return state
    },
    use(name, subject, cost) {
      const row = rowOf(name)
      charge(row, subject, Math.min(cost, standingOf(row, subject).remaining))
    },
    requireLeft(name, subject) {
      const state = standingOf(rowOf(name), subject)
      if (state.remaining === 0) throw limitReached(state)
    },
  }
}

function keyOf({ name, per }: RateLimit, subject: string): string {
  if (per === 'everyone') return name
  return `${name} ${per === 'client' ? networkOf(subject) : subject}`
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
