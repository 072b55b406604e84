import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import { cacheStatusMember } from '../rfc9111/cache-status.ts'
import type { CacheStore } from '../store/cache-store.ts'
import { createCollapsing, type Collapsing } from './collapsing.ts'
import { discardBody } from '../store/fill.ts'
import type { Flights } from './flights.ts'
import { invalidateAfter } from './invalidation.ts'
import type { ForwardedRequest } from './forwarded-request.ts'
import { withoutHopByHop } from '../rfc9111/message-fields.ts'
import type { OriginFetch, Outcome } from './origin-fetch.ts'
import { outcomeResponse } from './outcome-response.ts'
import { fillingRequest, forwardedRequest, type FetchOrigin } from './origin-request.ts'
import type { PurgeGenerations } from '../../purge/purge-generations.ts'
import { responseFromOrigin, type CacheIdentity } from '../reuse/cached-response.ts'

export interface ForwardingOptions {
  readonly store: CacheStore
  readonly generations: PurgeGenerations
  readonly flights: Flights
  readonly policy: CachePolicy
  readonly identity: CacheIdentity
  readonly fetchOrigin: FetchOrigin
  readonly origin: OriginFetch
  readonly now: () => number
}

/** Everything that a stored response cannot answer. */
export class Forwarding implements AsyncDisposable {
  readonly #options: ForwardingOptions
  readonly #collapsing: Collapsing
  readonly #refreshes = new Set<Promise<void>>()

  constructor(options: ForwardingOptions) {
    this.#options = options
    this.#collapsing = createCollapsing(options)
  }

  async forward(forwarded: ForwardedRequest): Promise<Response> {
    if (forwarded.request.method === 'HEAD') return this.#forwardHead(forwarded)
    const outcome = await (this.#mustGoAlone(forwarded)
      ? this.#goAlone(forwarded)
      : this.#collapsing.fetch(forwarded, () => this.#goAlone(forwarded)))
    return outcomeResponse(forwarded, outcome, this.#options)
  }

  /** Validates, behind the client's back, a response that was served stale (RFC 5861 §3). */
  refresh(forwarded: ForwardedRequest): void {
    if (this.#collapsing.isUnderWay(forwarded)) return
    const refresh = this.#refreshNow(forwarded)
      .catch(() => {})
      .finally(() => this.#refreshes.delete(refresh))
    this.#refreshes.add(refresh)
  }

  /** For methods that this cache does not store. */
  async pass(request: Request): Promise<Response> {
    const { fetchOrigin, identity } = this.#options
    const response = await fetchOrigin(forwardedRequest(request, identity.via), request)
    invalidateAfter(request, response, this.#options)
    const status = { fwd: 'method', fwdStatus: response.status } as const
    return responseFromOrigin(response, withoutHopByHop(response.headers), { status, identity })
  }

  /** For `only-if-cached` without anything to use (RFC 9111 §5.2.1.7). */
  refuse(): Response {
    const { name } = this.#options.identity
    return new Response('Nothing stored can answer this request\n', {
      status: 504,
      headers: {
        'content-type': 'text/plain',
        'cache-status': cacheStatusMember(name, { detail: 'only-if-cached' }),
      },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#refreshes)
  }

  /** What is personal, partial or asked for anew must not wait for others, nor they for it. */
  #mustGoAlone({ request, key, directives, selected }: ForwardedRequest): boolean {
    const { headers } = request
    const isOwn = headers.has('authorization') || directives.noCache || directives.noStore
    const isPartial = headers.has('range') && selected === undefined
    return isOwn || isPartial || this.#options.flights.isHitForMiss(key, this.#options.now())
  }

  #goAlone({ request, key, directives, selected }: ForwardedRequest): Promise<Outcome> {
    const { origin, identity } = this.#options
    const candidate = directives.noStore ? undefined : selected?.stored
    const upstream =
      candidate === undefined
        ? forwardedRequest(request, identity.via)
        : fillingRequest(request, identity.via, candidate)
    return origin.ask({ key, client: request, upstream, candidate, mayStore: !directives.noStore })
  }

  async #forwardHead({ request, reason, selected }: ForwardedRequest): Promise<Response> {
    const { generations, fetchOrigin, identity, origin, now } = this.#options
    const generation = generations.newest
    const requestedAt = now()
    const response = await fetchOrigin(forwardedRequest(request, identity.via), request)
    const { status, headers } = response
    if (selected !== undefined && status === 200) {
      const head = { status, headers, requestedAt, receivedAt: now(), generation }
      origin.noteHead(selected.stored, head)
    }
    const told = { fwd: reason, fwdStatus: status }
    return responseFromOrigin(response, withoutHopByHop(headers), { status: told, identity })
  }

  async #refreshNow(forwarded: ForwardedRequest): Promise<void> {
    const outcome = await this.#collapsing.lead(forwarded)
    if (outcome.kind === 'passed') await outcome.response.body?.cancel()
    if (outcome.kind === 'stored') await discardBody(outcome.stored.body)
  }
}
