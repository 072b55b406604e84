import type { CachePolicy } from './rfc9111/cache-policy.ts'
import type { CacheStore } from './store/cache-store.ts'
import { createHttpCache, type HttpCache } from './http-cache.ts'
import { MemoryStore } from './store/memory-store.ts'
import { createPurgeGenerations, type PurgeGenerations } from '../purge/purge-generations.ts'
import type { FetchOrigin } from './origin/origin-request.ts'

/** What a test's origin answers to its `count`th request, from 1. */
export type Origin = (request: Request, count: number) => Response | Promise<Response>

export interface CacheUnderTest<S extends CacheStore = MemoryStore> extends AsyncDisposable {
  readonly cache: HttpCache
  readonly store: S
  readonly generations: PurgeGenerations
  /** The requests that reached the origin. */
  readonly asked: readonly Request[]
  /** `path` on `https://cache.test`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  send(method: string, path: string, init?: RequestInit): Promise<Response>
  passSeconds(seconds: number): void
}

export interface CacheSetUp {
  readonly origin: Origin
  readonly policy?: Partial<CachePolicy>
  readonly generations?: PurgeGenerations
  readonly maxBytes?: number
  readonly maxFillBytes?: number
}

/** 2026-01-01T00:00:00Z, an arbitrary moment. */
export const startOfTime = Date.UTC(2026, 0, 1)

export function setUpCache(setUp: CacheSetUp): CacheUnderTest {
  const maxBytes = setUp.maxBytes ?? 2 ** 24
  return setUpCacheWith(new MemoryStore({ maxBytes, maxVariants: 32 }), setUp)
}

export function setUpCacheWith<S extends CacheStore>(
  store: S,
  setUp: CacheSetUp,
): CacheUnderTest<S> {
  let now = startOfTime
  const asked: Request[] = []
  const generations = setUp.generations ?? createPurgeGenerations()
  const fetchOrigin: FetchOrigin = async (upstream) => {
    asked.push(upstream)
    return setUp.origin(upstream, asked.length)
  }
  const { policy = {}, maxFillBytes = 2 ** 24 } = setUp
  const cache = createHttpCache({
    store,
    generations,
    fetchOrigin,
    policy,
    maxFillBytes,
    now: () => now,
  })
  const send = async (method: string, path: string, init: RequestInit = {}) =>
    cache.fetch(new Request(`https://cache.test${path}`, { ...init, method }))
  return {
    cache,
    store,
    generations,
    asked,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    passSeconds: (seconds) => (now += seconds * 1000),
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  }
}

/** An origin whose bodies tell how often it was asked. */
export const counting =
  (headers: Readonly<Record<string, string>>, status = 200): Origin =>
  (_request, count) =>
    new Response(`body ${count}`, { status, headers })

export const statusOf = (response: Response): string => response.headers.get('cache-status') ?? ''
