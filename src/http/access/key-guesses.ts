import { networkOf } from '../../lib/net/address-list.ts'
import type { Authenticate, Credential } from './authorize.ts'
import { limitReached } from '../response/rate-limit-fields.ts'

/** How often wrong keys may come from a network. */
export interface KeyGuesses {
  /** Takes one, or refuses with `limit_reached`. `carrier` is where the secret was sent. */
  begin(carrier: string, clientAddress: string): Guess
}

export interface Guess {
  /** It was no guess: gives it back, and trusts the network with that carrier for an hour. */
  wasGenuine(): void
}

interface Window {
  used: number
  readonly endsAtMs: number
}

const quota = 300
const windowSeconds = 60
const trustedMs = 3_600_000
const maxKept = 10_000

/**
 * Counts what is wrong by network and by where it was sent. One is taken before it is known what it is,
 * so that many at once get no further. Where a genuine one came from lately nothing is refused: who
 * shares a network, or a proxy that is not among `TRUSTED_PROXIES`, must not be shut out by a neighbour.
 */
export function createKeyGuesses({ now }: { readonly now: () => Date }): KeyGuesses {
  const windows = new Map<string, Window>()
  const trustedUntilMs = new Map<string, number>()

  function windowOf(key: string, nowMs: number): Window {
    const known = windows.get(key)
    if (known !== undefined && known.endsAtMs > nowMs) return known
    const window = { used: 0, endsAtMs: nowMs + windowSeconds * 1000 }
    remember(windows, key, window)
    return window
  }

  return {
    begin(carrier, clientAddress) {
      const nowMs = now().getTime()
      const key = `${carrier} ${networkOf(clientAddress)}`
      const wasGenuine = () => remember(trustedUntilMs, key, nowMs + trustedMs)
      if ((trustedUntilMs.get(key) ?? 0) > nowMs) return { wasGenuine }
      const window = windowOf(key, nowMs)
      if (window.used >= quota) {
        const resetSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000))
        throw limitReached({ name: 'keys', quota, windowSeconds, remaining: 0, resetSeconds })
      }
      window.used += 1
      return {
        wasGenuine() {
          window.used -= 1
          wasGenuine()
        },
      }
    },
  }
}

/** What was put in longest ago goes where there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxKept) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

/**
 * Where keys that operators choose are sent, and what a genuine one there is found to be. Tokens are
 * made by the service, too long to be guessed.
 */
const carriers: Readonly<Record<string, (credential: Credential) => boolean>> = {
  AccessKey: ({ id }) => id === 'access-key' || id === 'account-key',
  AccountKey: ({ id }) => id === 'account-key',
  'x-api-key': ({ id, kind }) => kind === 'key' && id !== 'access-key',
}

/** The same, but for networks that guess. */
export const slowGuesses =
  (authenticate: Authenticate, guesses: KeyGuesses): Authenticate =>
  async (request, clientAddress) => {
    const begun = Object.entries(carriers)
      .filter(([name]) => request.headers.has(name))
      .map(([name, isOfIt]) => ({ isOfIt, guess: guesses.begin(name, clientAddress) }))
    const found = await authenticate(request, clientAddress)
    for (const { isOfIt, guess } of begun) if (found.some(isOfIt)) guess.wasGenuine()
    return found
  }
