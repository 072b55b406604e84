import type { StoredResponse } from '../store/stored-response.ts'

/** What a fetch brought for all who wait: a response, maybe still coming in, or a failure. */
export type Shared =
  | { readonly kind: 'stored'; readonly stored: StoredResponse }
  | { readonly kind: 'failed'; readonly error: unknown }

/** One fetch that several requests wait for. */
export interface Flight {
  /** `undefined` where each must ask for itself. */
  readonly shared: Promise<Shared | undefined>
  share(shared: Shared | undefined): void
}

/**
 * The fetches under way, and for a while the addresses whose answers turned out not to be shareable,
 * so that nobody waits for those again. Both are bounded.
 */
export interface Flights {
  find(key: string): Flight | undefined
  start(key: string): Flight
  end(key: string, flight: Flight): void
  /** Counts a fetch for an address, shared or not, until the returned function is called. */
  enter(address: string): () => void
  isUnderWay(address: string): boolean
  isHitForMiss(key: string, now: number): boolean
  markHitForMiss(key: string, now: number): void
  unmarkLone(key: string): void
}

const loneMs = 60_000
const maxLoneKeys = 10_000

export function createFlights(): Flights {
  const flightByKey = new Map<string, Flight>()
  const fetchesByAddress = new Map<string, number>()
  const loneUntilByKey = new Map<string, number>()

  function leave(address: string): void {
    const left = (fetchesByAddress.get(address) ?? 1) - 1
    if (left === 0) fetchesByAddress.delete(address)
    else fetchesByAddress.set(address, left)
  }

  return {
    find: (key) => flightByKey.get(key),
    start(key) {
      const { promise, resolve } = Promise.withResolvers<Shared | undefined>()
      const flight: Flight = { shared: promise, share: resolve }
      flightByKey.set(key, flight)
      return flight
    },
    end(key, flight) {
      if (flightByKey.get(key) === flight) flightByKey.delete(key)
    },
    enter(address) {
      fetchesByAddress.set(address, (fetchesByAddress.get(address) ?? 0) + 1)
      return () => leave(address)
    },
    isUnderWay: (address) => fetchesByAddress.has(address),
    isHitForMiss: (key, now) => (loneUntilByKey.get(key) ?? 0) > now,
    markHitForMiss(key, now) {
      loneUntilByKey.delete(key)
      loneUntilByKey.set(key, now + loneMs)
      if (loneUntilByKey.size <= maxLoneKeys) return
      for (const oldest of loneUntilByKey.keys()) {
        loneUntilByKey.delete(oldest)
        return
      }
    },
    unmarkLone: (key) => loneUntilByKey.delete(key),
  }
}
