import { readResponseDirectives } from '../rfc9111/cache-control.ts'
import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import type { CacheStore } from '../store/cache-store.ts'
import { countersOf } from '../../purge/counter-names.ts'
import { Fill, type FillBudget, type FillOutcome } from '../store/fill.ts'
import type { Flights } from './flights.ts'
import {
  freshForMs,
  canBeValidated,
  storableHeaders,
  storedResponseOf,
} from '../store/stored-response.ts'
import type { StoredBody, StoredRecord, StoredResponse } from '../store/stored-response.ts'
import type { TimedResponse } from '../rfc9111/freshness.ts'
import { updatedHeaders, withoutHopByHop } from '../rfc9111/message-fields.ts'
import type { FetchOrigin } from './origin-request.ts'
import type { PurgeGenerations } from '../../purge/purge-generations.ts'
import { obstacleToStoring } from '../rfc9111/storability.ts'
import { variantIdOf, varyNamesOf, varyValuesOf } from '../rfc9111/vary.ts'

/** What came of asking the origin. */
export type Outcome =
  /** A response that is being stored; whoever caused it gets the origin's own fields. */
  | {
      readonly kind: 'stored'
      readonly stored: StoredResponse
      readonly fields: Headers
      /** Whether others may follow the body while it comes in. */
      readonly isShareable: boolean
      readonly kept: Promise<boolean>
      readonly settled: Promise<FillOutcome>
    }
  /** The stored response is still good. */
  | { readonly kind: 'validated'; readonly stored: StoredResponse; readonly isKept: boolean }
  | {
      readonly kind: 'passed'
      readonly response: Response
      readonly fields: Headers
      readonly detail: string | undefined
    }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface OriginFetchOptions {
  readonly store: CacheStore
  readonly generations: PurgeGenerations
  readonly flights: Flights
  readonly budget: FillBudget
  readonly policy: CachePolicy
  readonly fetchOrigin: FetchOrigin
  readonly now: () => number
}

export interface UpstreamRequest {
  readonly key: string
  /** As the client sent it: what Vary and Authorization speak of. */
  readonly client: Request
  /** As it is to be sent to the origin. */
  readonly upstream: Request
  /** The stored response that `upstream` is conditional on. */
  readonly candidate: StoredResponse | undefined
  readonly mayStore: boolean
}

interface Fetched {
  readonly upstreamRequest: UpstreamRequest
  readonly response: Response
  readonly timed: TimedResponse
  readonly generation: number
}

/** Asks the origin and stores what may be stored. */
export class OriginFetch {
  readonly #options: OriginFetchOptions

  constructor(options: OriginFetchOptions) {
    this.#options = options
  }

  /** Never rejects: a failure is an outcome. */
  async ask(upstreamRequest: UpstreamRequest): Promise<Outcome> {
    const leave = this.#options.flights.enter(upstreamRequest.key)
    try {
      const outcome = await this.#ask(upstreamRequest)
      if (outcome.kind === 'stored') void outcome.settled.finally(leave)
      else leave()
      return outcome
    } catch (error) {
      leave()
      return { kind: 'failed', error }
    }
  }

  /**
   * Takes a 200 answer to HEAD into account: it freshens the stored response, or shows that that is
   * another representation and must go (RFC 9111 §4.3.5).
   */
  noteHead(stored: StoredResponse, head: TimedResponse & { readonly generation: number }): void {
    const isSame = describesSame(stored, head.headers)
    const freshened = isSame ? this.#freshen(stored, head, head.generation) : undefined
    if (freshened === undefined) this.#options.store.remove(stored.key)
    else this.#keep(freshened)
  }

  async #ask(upstreamRequest: UpstreamRequest): Promise<Outcome> {
    const { generations, now, fetchOrigin } = this.#options
    // Read before the fetch begins: a purge from here on covers whatever it brings.
    const generation = generations.newest
    const requestedAt = now()
    const response = await fetchOrigin(upstreamRequest.upstream, upstreamRequest.client)
    const { status, headers } = response
    const timed = { status, headers, requestedAt, receivedAt: now() }
    const fetched = { upstreamRequest, response, timed, generation }
    if (status === 304 && upstreamRequest.candidate !== undefined)
      return this.#validate(fetched, upstreamRequest.candidate)
    const record = upstreamRequest.mayStore ? this.#recordOf(fetched) : undefined
    return record === undefined ? this.#pass(fetched) : this.#fill(fetched, record)
  }

  #pass({ response, upstreamRequest }: Fetched, detail?: string): Outcome {
    if (upstreamRequest.candidate !== undefined && response.ok)
      this.#options.store.remove(upstreamRequest.key)
    return { kind: 'passed', response, fields: withoutHopByHop(response.headers), detail }
  }

  /** What to store of a response, or `undefined` where it must not or need not be stored. */
  #recordOf({
    upstreamRequest: { key, client },
    timed,
    generation,
  }: Fetched): StoredRecord | undefined {
    const { policy } = this.#options
    const directives = readResponseDirectives(timed.headers, policy.targetedFields)
    const requestHasAuthorization = client.headers.has('authorization')
    const question = { response: timed, directives, requestHasAuthorization, policy }
    const counters = countersOf(key, timed.headers)
    if (counters === undefined || obstacleToStoring(question) !== undefined) return undefined
    const headers = storableHeaders(timed, directives)
    const varyValues = varyValuesOf(varyNamesOf(headers) ?? [], client.headers)
    const record = { ...timed, key, headers, varyValues, generation, counters }
    return this.#isUseful(record) ? record : undefined
  }

  #isUseful(record: StoredRecord): boolean {
    const stored = storedResponseOf(record, noBody, this.#options.policy)
    const { staleWhileRevalidate = 0, staleIfError = 0 } = stored.directives
    const staleMs = Math.max(staleWhileRevalidate, staleIfError) * 1000
    return freshForMs(stored, record.receivedAt) + staleMs > 0 || canBeValidated(stored)
  }

  #fill(fetched: Fetched, record: StoredRecord): Outcome {
    const { store, budget, policy } = this.#options
    const { response, timed } = fetched
    const sizeBytes = declaredSize(timed.headers, response.body === null)
    if ((sizeBytes ?? 0) > store.maxBodyBytes) return this.#pass(fetched, 'too-large')
    const filling = new Fill({
      source: response.body ?? new Blob().stream(),
      log: store.newLog(),
      sizeBytes,
      maxBytes: store.maxBodyBytes,
      maxMemoryBytes: store.maxMemoryBodyBytes,
      budget,
      onComplete: (body) => this.#keep(storedResponseOf(record, body, policy)),
    })
    return {
      kind: 'stored',
      stored: storedResponseOf(record, filling, policy),
      fields: withoutHopByHop(response.headers),
      isShareable: filling.isShareable,
      kept: filling.kept,
      settled: filling.settled,
    }
  }

  /** A 304 about another representation than the stored one validates nothing. */
  async #validate(fetched: Fetched, candidate: StoredResponse): Promise<Outcome> {
    const { upstreamRequest, timed, generation } = fetched
    const etag = timed.headers.get('etag')
    if (etag !== null && etag !== candidate.headers.get('etag'))
      return this.#ask({
        ...upstreamRequest,
        upstream: unconditional(upstreamRequest.upstream),
        candidate: undefined,
      })
    const freshened = this.#freshen(candidate, timed, generation)
    if (freshened === undefined) this.#options.store.remove(upstreamRequest.key)
    else this.#keep(freshened)
    return {
      kind: 'validated',
      stored: freshened ?? candidate,
      isKept: freshened !== undefined,
    }
  }

  /** The stored response with the fields of a 304, or `undefined` where those forbid storing. */
  #freshen(
    candidate: StoredResponse,
    { headers: news, requestedAt, receivedAt }: TimedResponse,
    generation: number,
  ): StoredResponse | undefined {
    const { policy } = this.#options
    const headers = updatedHeaders(candidate.headers, news)
    const timed = { status: candidate.status, headers, requestedAt, receivedAt }
    const directives = readResponseDirectives(headers, policy.targetedFields)
    const question = { response: timed, directives, requestHasAuthorization: false, policy }
    const counters = countersOf(candidate.key, headers)
    if (counters === undefined || obstacleToStoring(question) !== undefined) return undefined
    const fields = { headers: storableHeaders(timed, directives), generation, counters }
    return storedResponseOf({ ...candidate, ...timed, ...fields }, candidate.body, policy)
  }

  /** Never puts older over newer: not over a later purge, nor over a fetch that began later. */
  #keep(stored: StoredResponse): void {
    const { generations, store, flights } = this.#options
    if (generations.stateOf(stored.generation, stored.counters) === 'purged') return
    const id = variantIdOf(stored.varyValues)
    const rival = store.peek(stored.key).find(({ varyValues }) => variantIdOf(varyValues) === id)
    if (rival !== undefined && rival.requestedAt > stored.requestedAt) return
    flights.unmarkLone(stored.key)
    store.put(stored)
  }
}

/** Of which nothing is asked: to make a Blob takes longer than all that is asked of its response. */
const noBody: StoredBody = { sizeBytes: 0, isComplete: true, open: () => new Blob() }

function describesSame({ headers, body }: StoredResponse, head: Headers): boolean {
  const agrees = (name: string, value: string | null) => !head.has(name) || head.get(name) === value
  return (
    agrees('etag', headers.get('etag')) &&
    agrees('last-modified', headers.get('last-modified')) &&
    agrees('content-length', String(body.sizeBytes))
  )
}

/** Content-Length says nothing about a body in another framing. */
function declaredSize(headers: Headers, isBodyless: boolean): number | undefined {
  if (isBodyless) return 0
  const field = headers.has('transfer-encoding') ? null : headers.get('content-length')
  return field !== null && /^\d+$/u.test(field) ? Number(field) : undefined
}

function unconditional(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('if-none-match')
  headers.delete('if-modified-since')
  return new Request(request.url, { method: request.method, headers, redirect: 'manual' })
}
