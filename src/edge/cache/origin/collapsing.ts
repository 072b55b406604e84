import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import type { Flight, Flights, Shared } from './flights.ts'
import type { ForwardedRequest } from './forwarded-request.ts'
import type { OriginFetch, Outcome } from './origin-fetch.ts'
import { fillingRequest } from './origin-request.ts'
import type { PurgeGenerations } from '../../purge/purge-generations.ts'
import { purgeStateOf } from '../reuse/select-variant.ts'
import type { CacheIdentity } from '../reuse/cached-response.ts'
import { freshForMs, type StoredResponse } from '../store/stored-response.ts'
import { matchesVary, variantIdOf, varyValuesOf } from '../rfc9111/vary.ts'

/** A response that another request brought. */
export type SharedOutcome =
  Outcome | { readonly kind: 'collapsed'; readonly stored: StoredResponse }

export interface CollapsingOptions {
  readonly flights: Flights
  readonly generations: PurgeGenerations
  readonly policy: CachePolicy
  readonly identity: CacheIdentity
  readonly origin: OriginFetch
  readonly now: () => number
}

/** Lets requests for the same thing at the same time share one fetch. */
export interface Collapsing {
  /** `goAlone` is for what turns out not to be shareable. */
  fetch(forwarded: ForwardedRequest, goAlone: () => Promise<Outcome>): Promise<SharedOutcome>
  /** Fetches for all who may come while it lasts. */
  lead(forwarded: ForwardedRequest): Promise<Outcome>
  isUnderWay(forwarded: ForwardedRequest): boolean
}

/** How often a request may find that what it waited for is purged or another variant. */
const maxWaits = 3

export function createCollapsing(options: CollapsingOptions): Collapsing {
  const { flights, generations, policy, identity, origin, now } = options

  async function fetch(
    forwarded: ForwardedRequest,
    goAlone: () => Promise<Outcome>,
  ): Promise<SharedOutcome> {
    let names = knownVaryNames(forwarded)
    for (let waits = 0; waits < maxWaits; waits += 1) {
      const flightKey = flightKeyOf(forwarded, names)
      const flight = flights.find(flightKey)
      if (flight === undefined) return lead(forwarded, flightKey)
      const shared = await orAfter(policy.collapseWaitMs, flight.shared)
      if (shared === undefined) break
      if (shared.kind === 'failed') return shared
      const { stored } = shared
      if (purgeStateOf(stored, generations) !== 'current') flights.end(flightKey, flight)
      else if (!matchesVary(stored.varyValues, forwarded.request.headers))
        names = stored.varyValues.map(([name]) => name)
      else if (isUsable(stored)) return { kind: 'collapsed', stored }
      else break
    }
    return goAlone()
  }

  async function lead(
    forwarded: ForwardedRequest,
    flightKey = flightKeyOf(forwarded, knownVaryNames(forwarded)),
  ): Promise<Outcome> {
    const { request, key, selected } = forwarded
    const flight = flights.start(flightKey)
    const candidate = selected?.stored
    const upstream = fillingRequest(request, identity.via, candidate)
    const outcome = await origin.ask({ key, client: request, upstream, candidate, mayStore: true })
    if (outcome.kind === 'passed') flights.markHitForMiss(key, now())
    land(flightKey, flight, outcome)
    return outcome
  }

  /** A body of unknown length is shared only once it is known to fit. */
  function land(flightKey: string, flight: Flight, outcome: Outcome): void {
    const end = () => flights.end(flightKey, flight)
    if (outcome.kind !== 'stored') {
      end()
      return flight.share(sharedOf(outcome))
    }
    const { stored, isShareable, kept } = outcome
    if (isShareable) flight.share({ kind: 'stored', stored })
    void kept.then((isKept) => {
      end()
      return flight.share(isKept ? { kind: 'stored', stored } : undefined)
    })
  }

  const isUsable = (stored: StoredResponse): boolean =>
    stored.directives.noCache !== true && freshForMs(stored, now()) > 0

  return {
    fetch,
    lead: (forwarded) => lead(forwarded),
    isUnderWay: (forwarded) =>
      flights.find(flightKeyOf(forwarded, knownVaryNames(forwarded))) !== undefined,
  }
}

function sharedOf(outcome: Exclude<Outcome, { kind: 'stored' }>): Shared | undefined {
  if (outcome.kind === 'failed') return outcome
  const isShareable = outcome.kind === 'validated' && outcome.isKept
  return isShareable ? { kind: 'stored', stored: outcome.stored } : undefined
}

const knownVaryNames = ({ selected }: ForwardedRequest): readonly string[] =>
  selected?.stored.varyValues.map(([name]) => name) ?? []

const flightKeyOf = ({ key, request }: ForwardedRequest, names: readonly string[]): string =>
  `${key}\n${variantIdOf(varyValuesOf(names, request.headers))}`

async function orAfter<T>(waitMs: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), waitMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
