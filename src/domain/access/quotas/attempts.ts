import { networkOf } from '../../../lib/net/address-list.ts'
import { ServiceError } from '../../errors.ts'

/** How often somebody may try and fail. */
export interface Attempts {
  /**
   * Takes one, or refuses with `limit_reached`. It is taken before its outcome is known, so that many
   * at once get no further than one after another. Where all together have failed too often, those from
   * networks that are not known wait their turn first.
   */
  begin(address: string): Promise<Attempt>
  /** Somebody came in from there: failures of others do not concern that network from now on. */
  know(address: string): void
}

export interface Attempt {
  /** Gives it back: only failures count. */
  succeed(): void
}

export interface AttemptLimits {
  readonly perNetwork: number
  /** For all networks that are not known, however many there are: from then on one after another. */
  readonly total: number
  readonly windowSeconds: number
  readonly now: () => Date
  readonly sleep: (milliseconds: number) => Promise<void>
}

interface Window {
  used: number
  readonly endsAtMs: number
}

/** How far apart attempts are while there are too many failures, and how long anybody waits. */
const paceMs = 1_000
const maxWaitMs = 20_000
const knownMs = 30 * 86_400_000
const maxKnown = 10_000

export function createAttempts({
  perNetwork,
  total,
  windowSeconds,
  now,
  sleep,
}: AttemptLimits): Attempts {
  const windows = new Map<string, Window>()
  const known = createKnown(now)
  let lastTurnMs = 0

  function windowOf(key: string): Window {
    const nowMs = now().getTime()
    const found = windows.get(key)
    if (found !== undefined && found.endsAtMs > nowMs) return found
    return { used: 0, endsAtMs: nowMs + windowSeconds * 1000 }
  }

  function forgetEnded(): void {
    const nowMs = now().getTime()
    for (const [key, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(key)
  }

  function refusal(quota: number, untilMs: number): ServiceError {
    const resetSeconds = Math.max(1, Math.ceil((untilMs - now().getTime()) / 1000))
    return new ServiceError(
      'limit_reached',
      `there were too many failed attempts; try again in ${resetSeconds} seconds`,
      { context: { limit: { name: 'sign-in', quota, windowSeconds, remaining: 0, resetSeconds } } },
    )
  }

  /** How long to wait for a turn; refuses where that would be too long. */
  function takeTurn(): number {
    const nowMs = now().getTime()
    const turnMs = Math.max(lastTurnMs + paceMs, nowMs)
    if (turnMs - nowMs > maxWaitMs) throw refusal(total, nowMs + paceMs)
    lastTurnMs = turnMs
    return turnMs - nowMs
  }

  return {
    async begin(address) {
      forgetEnded()
      const network = networkOf(address)
      const one = windowOf(network)
      if (one.used >= perNetwork) throw refusal(perNetwork, one.endsAtMs)
      const everybody = windowOf('everybody')
      const isKnown = known.has(network)
      // What is refused makes no window, so there are never more of them than attempts.
      const waitMs = isKnown || everybody.used < total ? 0 : takeTurn()
      const charged = isKnown ? [one] : [everybody, one]
      windows.set(network, one)
      if (!isKnown) windows.set('everybody', everybody)
      for (const window of charged) window.used += 1
      if (waitMs > 0) await sleep(waitMs)
      return {
        succeed: () => {
          for (const window of charged.splice(0)) window.used -= 1
          known.add(network)
        },
      }
    },
    know: (address) => known.add(networkOf(address)),
  }
}

/** Networks from which somebody came in lately. */
function createKnown(now: () => Date) {
  const untilMsByNetwork = new Map<string, number>()
  return {
    has: (network: string) => (untilMsByNetwork.get(network) ?? 0) > now().getTime(),
    add(network: string): void {
      untilMsByNetwork.delete(network)
      untilMsByNetwork.set(network, now().getTime() + knownMs)
      const [oldest] = untilMsByNetwork.keys()
      if (untilMsByNetwork.size > maxKnown && oldest !== undefined) untilMsByNetwork.delete(oldest)
    },
  }
}
