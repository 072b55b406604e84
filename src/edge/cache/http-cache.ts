import { noRequestDirectives, readRequestDirectives } from './rfc9111/cache-control.ts'
import { cacheKeyOf } from '../purge/cache-key.ts'
import { defaultCachePolicy, type CachePolicy } from './rfc9111/cache-policy.ts'
import type { CacheStatus, ForwardReason } from './rfc9111/cache-status.ts'
import type { CacheStore } from './store/cache-store.ts'
import { createFillBudget } from './store/fill.ts'
import { createFlights } from './origin/flights.ts'
import { Forwarding } from './origin/forwarding.ts'
import type { Exchange } from './origin/forwarded-request.ts'
import { OriginFetch } from './origin/origin-fetch.ts'
import type { FetchOrigin } from './origin/origin-request.ts'
import type { PurgeGenerations } from '../purge/purge-generations.ts'
import { isConditional } from './rfc9111/message-fields.ts'
import { decideReuse, remainingMs, type ReuseDecision } from './reuse/decide-reuse.ts'
import { selectVariant, purgeStateOf, type Selected } from './reuse/select-variant.ts'
import {
  responseFromStored,
  heldFor,
  fieldsOf,
  type CacheIdentity,
} from './reuse/cached-response.ts'
import { blobWhereTaken, HeldResponse } from '../../http/wire/held-response.ts'
import type { StoredResponse } from './store/stored-response.ts'

export interface HttpCacheOptions {
  readonly store: CacheStore
  readonly generations: PurgeGenerations
  readonly fetchOrigin: FetchOrigin
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly policy?: Partial<CachePolicy>
  /** Names what a request is for, where the origin is known to ignore more of addresses than HTTP says. */
  readonly keyOf?: (url: string) => string
  /** The token that Cache-Status and Via know this cache by. */
  readonly name?: string
  /** What all bodies on their way in may hold in memory together. */
  readonly maxFillBytes?: number
}

/** A shared cache (RFC 9111) in front of one origin. */
export interface HttpCache extends AsyncDisposable {
  /** Answers at once where a stored response will do, else a promise. Rejects as the origin does. */
  fetch(request: Request): Response | Promise<Response>
  /** What would be sent again as it is, now, to a GET with these fields that has no condition. */
  ready(key: string, request: Headers): ReadyResponse | undefined
}

export interface ReadyResponse {
  readonly stored: StoredResponse
  /** Those of a plain hit. The same object for one second: nobody may change it. */
  readonly headers: Headers
}

export const createHttpCache = (options: HttpCacheOptions): HttpCache => new SharedCache(options)

const defaultMaxFillBytes = 256 * 2 ** 20

class SharedCache implements HttpCache {
  readonly #store: CacheStore
  readonly #generations: PurgeGenerations
  readonly #now: () => number
  readonly #policy: CachePolicy
  readonly #keyOf: (url: string) => string
  readonly #identity: CacheIdentity
  readonly #forwarding: Forwarding

  constructor(options: HttpCacheOptions) {
    const { store, generations, now, fetchOrigin, name = 'sedge' } = options
    const policy = { ...defaultCachePolicy, ...options.policy }
    const identity = { name, via: `1.1 ${name}` }
    const flights = createFlights()
    const budget = createFillBudget(options.maxFillBytes ?? defaultMaxFillBytes)
    const parts = { store, generations, flights, budget, policy, fetchOrigin, now, identity }
    this.#store = store
    this.#generations = generations
    this.#now = now
    this.#keyOf = options.keyOf ?? cacheKeyOf
    this.#policy = policy
    this.#identity = identity
    this.#forwarding = new Forwarding({ ...parts, origin: new OriginFetch(parts) })
  }

  fetch(request: Request): Response | Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return this.#forwarding.pass(request)
    const key = this.#keyOf(request.url)
    const directives = this.#policy.honoursRequestDirectives
      ? readRequestDirectives(request.headers)
      : noRequestDirectives
    const exchange = { request, key, directives }
    const selected = selectVariant(this.#store.peek(key), request.headers, this.#generations)
    return this.#answerReady(exchange, selected) ?? this.#answerLater(exchange)
  }

  ready(key: string, request: Headers): ReadyResponse | undefined {
    const selected = selectVariant(this.#store.peek(key), request, this.#generations)
    if (selected === undefined) return undefined
    const now = this.#now()
    const decision = decideReuse({ ...selected, directives: noRequestDirectives, now })
    if (decision.kind !== 'fresh') return undefined
    return { stored: selected.stored, headers: this.#hitHeaders(selected.stored, now) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forwarding[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }

  /** The answer from what is stored, where that may be used as it is. */
  #answerReady(exchange: Exchange, selected: Selected | undefined): Response | undefined {
    if (selected === undefined) return undefined
    const { directives } = exchange
    const decision = decideReuse({ ...selected, directives, now: this.#now() })
    if (decision.kind === 'validate') return undefined
    return this.#answerReused(exchange, selected, decision)
  }

  #answerReused(
    exchange: Exchange,
    selected: Selected,
    decision: Exclude<ReuseDecision, { kind: 'validate' }>,
  ): Response {
    const { request } = exchange
    const { stored } = selected
    const now = this.#now()
    if (decision.kind === 'fresh') return this.#freshAnswer(stored, request, now)
    if (decision.refreshes) this.#forwarding.refresh({ ...exchange, selected, reason: 'stale' })
    const status = this.#hitStatus(selected, now)
    return responseFromStored({ stored, request, status, identity: this.#identity, now })
  }

  #freshAnswer(stored: StoredResponse, request: Request, now: number): Response {
    const { status, body } = stored
    const identity = this.#identity
    const headers = this.#hitHeaders(stored, now)
    const held = heldFor(stored, request)
    if (held !== undefined) return new HeldResponse(held, { headers })
    if (isPlain(request))
      return blobWhereTaken(request, status === 204 ? null : body.open(), { status, headers })
    return responseFromStored({ stored, request, status: {}, identity, now }, headers)
  }

  /** Most requests: everything but Age and the rest of the lifetime is the same as the last time. */
  #hitHeaders(stored: StoredResponse, now: number): Headers {
    const { memo, status, body } = stored
    const second = Math.floor(now / 1000)
    if (memo.hitSecond !== second || memo.hitHeaders === undefined) {
      const hit = this.#hitStatus({ stored, purgeState: 'current' }, now)
      memo.hitHeaders = fieldsOf({ stored, status: hit, identity: this.#identity, now })
      if (body.sizeBytes !== undefined && status !== 204)
        memo.hitHeaders.set('content-length', String(body.sizeBytes))
      memo.hitSecond = second
    }
    return memo.hitHeaders
  }

  #hitStatus(selected: Selected, now: number): CacheStatus {
    const left = remainingMs({ ...selected, directives: noRequestDirectives, now })
    const { key } = selected.stored
    return { hit: true, ttl: Math.floor(left / 1000), ...(this.#policy.showsKey ? { key } : {}) }
  }

  async #answerLater(exchange: Exchange): Promise<Response> {
    const variants = await this.#store.load(exchange.key)
    const selected = selectVariant(variants, exchange.request.headers, this.#generations)
    const ready = this.#answerReady(exchange, selected)
    if (ready !== undefined) return ready
    if (exchange.directives.onlyIfCached) return this.#forwarding.refuse()
    const reason = this.#reasonOf(exchange, selected, variants)
    return this.#forwarding.forward({ ...exchange, selected, reason })
  }

  #reasonOf(
    { directives }: Exchange,
    selected: Selected | undefined,
    variants: readonly StoredResponse[],
  ): ForwardReason {
    if (selected !== undefined) {
      const decision = decideReuse({ ...selected, directives, now: this.#now() })
      return decision.kind === 'validate' ? decision.reason : 'stale'
    }
    const hasOthers = variants.some((other) => purgeStateOf(other, this.#generations) !== 'purged')
    return hasOthers ? 'vary-miss' : 'uri-miss'
  }
}

const isPlain = ({ method, headers }: Request): boolean =>
  method === 'GET' && !isConditional(headers)
