import { networkOf } from '../../lib/address-list.ts'
import { ServiceError } from '../errors.ts'

/** How often somebody may try and fail. */
export interface Attempts {
  /**
   * Takes one, or refuses with `limit_reached`. It is taken before its outcome is known, so that many
   * at once get no further than one after another.
   */
  begin(address: string): Attempt
}

export interface Attempt {
  /** Gives it back: only failures count. */
  succeed(): void
}

export interface AttemptLimits {
  readonly perAddress: number
  /** For everybody together, however many addresses they have. */
  readonly total: number
  readonly windowSeconds: number
  readonly now: () => Date
}

interface Window {
  used: number
  readonly endsAtMs: number
}

export function createAttempts({ perAddress, total, windowSeconds, now }: AttemptLimits): Attempts {
  const windows = new Map<string, Window>()

  function windowOf(key: string): Window {
    const nowMs = now().getTime()
    const known = windows.get(key)
    if (known !== undefined && known.endsAtMs > nowMs) return known
    const window = { used: 0, endsAtMs: nowMs + windowSeconds * 1000 }
    windows.set(key, window)
    return window
  }

  function forgetEnded(): void {
    const nowMs = now().getTime()
    for (const [key, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(key)
  }

  function requireRoom({ used, endsAtMs }: Window, quota: number): void {
    if (used < quota) return
    const resetSeconds = Math.max(1, Math.ceil((endsAtMs - now().getTime()) / 1000))
    throw new ServiceError(
      'limit_reached',
      `there were too many failed attempts; try again in ${resetSeconds} seconds`,
      { context: { limit: { name: 'sign-in', quota, windowSeconds, remaining: 0, resetSeconds } } },
    )
  }

  return {
    begin(address) {
      // What is refused makes no window, so there are never more of them than attempts.
      forgetEnded()
      const everybody = windowOf('everybody')
      requireRoom(everybody, total)
      const one = windowOf(networkOf(address))
      requireRoom(one, perAddress)
      const charged = [everybody, one]
      for (const window of charged) window.used += 1
      return {
        succeed: () => {
          for (const window of charged.splice(0)) window.used -= 1
        },
      }
    },
  }
}
