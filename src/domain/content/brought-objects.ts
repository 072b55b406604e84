import { LruCache } from '../../lib/collections/lru-cache.ts'

/**
 * Who has sent which bytes lately, before any commit names them. Whoever works on some zones names in their
 * commits only what is in them or was sent for them: anything else may be somebody else's.
 */
export interface BroughtObjects {
  note(sha256: string, zones: Iterable<string>): void
  /** Whether they were sent for one of the zones. Where it is forgotten, clients send them again. */
  has(sha256: string, zones: Iterable<string>): boolean
}

const remembered = 100_000

export function createBroughtObjects(): BroughtObjects {
  const known = new LruCache<true>({ maxWeight: remembered, weigh: () => 1 })
  return {
    note(sha256, zones) {
      for (const zone of zones) known.set(keyOf(sha256, zone), true)
    },
    has(sha256, zones) {
      for (const zone of zones) if (known.get(keyOf(sha256, zone)) === true) return true
      return false
    },
  }
}

const keyOf = (sha256: string, zone: string): string => `${sha256} ${zone}`
