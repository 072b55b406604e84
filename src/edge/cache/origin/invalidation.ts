import { cacheKeyOf } from '../../purge/cache-key.ts'
import type { CacheStore } from '../store/cache-store.ts'
import { urlCounterOf } from '../../purge/counter-names.ts'
import type { Flights } from './flights.ts'
import type { PurgeGenerations } from '../../purge/purge-generations.ts'

const safeMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'REPORT',
  'SEARCH',
])

export interface Invalidation {
  readonly store: CacheStore
  readonly flights: Flights
  readonly generations: PurgeGenerations
}

/**
 * What a request other than GET and HEAD makes old when it succeeds: its own address, and those of
 * Location and Content-Location on the same origin (RFC 9111 §4.4). Only an address of which something
 * is stored or on its way raises a counter, so that nobody can fill the table with random addresses.
 */
export function invalidateAfter(
  request: Request,
  response: Response,
  { store, flights, generations }: Invalidation,
): void {
  const isError = response.status < 200 || response.status >= 400
  if (safeMethods.has(request.method) || isError) return
  for (const key of affectedKeys(request, response)) {
    if (!store.has(key) && !flights.isUnderWay(key)) continue
    generations.raise({ counters: [urlCounterOf(key)], soft: false })
    store.remove(key)
  }
}

function affectedKeys(request: Request, response: Response): ReadonlySet<string> {
  const keys = new Set([cacheKeyOf(request.url)])
  const { origin } = new URL(request.url)
  for (const name of ['location', 'content-location']) {
    const reference = response.headers.get(name)
    const target = reference === null ? null : URL.parse(reference, request.url)
    if (target?.origin === origin) keys.add(cacheKeyOf(target.href))
  }
  return keys
}
