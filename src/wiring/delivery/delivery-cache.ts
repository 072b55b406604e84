import { withHintSteps } from '../../http/request/client-hints.ts'
import { defaultCachePolicy } from '../../edge/cache/rfc9111/cache-policy.ts'
import { deliveryKeyOf } from '../../edge/purge/delivery-key.ts'
import { createHotDelivery, type HotDelivery } from '../../edge/cache/hot-delivery.ts'
import { createHttpCache, type HttpCache } from '../../edge/cache/http-cache.ts'
import { MemoryStore } from '../../edge/cache/store/memory-store.ts'
import { createVisitCounter } from '../../edge/hits/count-visits.ts'
import { notingVisits } from '../../edge/hits/note-visits.ts'
import type { RequestNoting } from '../../edge/hits/request-tap.ts'
import type { HeadVisit } from '../../edge/routing/decision.ts'
import type { HitTap } from '../../edge/hits/hit-tap.ts'
import { onErased } from '../../edge/purge/on-erased.ts'
import type { PurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { createCachedDelivery, createRequestIds } from '../../edge/cache/cached-delivery.ts'
import type { MeasuredResponse, ObservedResponse } from '../../http/observed/observed-response.ts'
import type { App } from '../../http/app.ts'
import type { Operation } from '../../http/operation.ts'
import type { CountryOf } from '../../http/request/request-country.ts'
import { isTransform } from '../../planes/delivery/count-deliveries.ts'
import { allOperations } from '../../planes/operations.ts'
import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { World } from '../world.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

/** Of what is served without asking anybody. */
const nothing = { zone: '', credential: undefined, refusal: undefined } as const

const usualMemoryBytes = 128 * 2 ** 20

interface Opened {
  readonly app: App
  readonly purges: PurgeGenerations
  readonly feed: Pick<Feed, 'subscribe'>
  readonly opening: AsyncDisposableStack
  /** Told of every response, to count it and for whatever else. */
  readonly onResponse: (answered: ObservedResponse) => void
  /** Told of those that count by themselves; absent where nobody wants to know. */
  readonly onCounted?: ((answered: MeasuredResponse) => void) | undefined
  readonly traffic: {
    readonly tap: HitTap
    readonly countryOf: CountryOf
    readonly isOwn: (request: RequestHead) => boolean
    /** Left out where no line is kept of a request. */
    readonly requests?: RequestNoting | undefined
  }
  readonly published: Pick<Manifest, 'asset'>
  readonly memoryBytes?: number
}

/** The operations with the shared cache in front of what is made of assets. */
export interface DeliveryCache extends Pick<App, 'fetch'> {
  /** To be asked before anything else. */
  readonly hot: HotDelivery
}

export function openDeliveryCache(
  world: Pick<World, 'now' | 'newId' | 'monotonicMs'>,
  opened: Opened,
): DeliveryCache {
  const { app, purges, feed, opening, onResponse, memoryBytes = usualMemoryBytes } = opened
  /** Who asked for what has to be made: it counts against what that network may have made. */
  const peers = new WeakMap<Request, string>()
  /** What was found out on the way for who had to wait for it. */
  const foundByClient = new WeakMap<Request, NonNullable<ObservedResponse['found']>>()
  const requestIds = createRequestIds(world.newId)
  const { maxVariants } = defaultCachePolicy
  const store = new MemoryStore({ maxBytes: memoryBytes, maxVariants })
  const cache = opening.use(
    createHttpCache({
      store,
      generations: purges,
      keyOf: deliveryKeyOf,
      async fetchOrigin(upstream, client) {
        upstream.headers.set('X-Request-ID', requestIds.of(client))
        const filled = await app.fill(upstream, peers.get(client) ?? 'cache')
        if (filled.found !== undefined) foundByClient.set(client, filled.found)
        return filled.response
      },
      now: () => world.now().getTime(),
      policy: {
        // Whoever asks must not be able to have things made again by saying no-cache.
        honoursRequestDirectives: false,
        // What comes from this very process is there at once.
        awaitedBodyBytes: memoryBytes,
      },
    }),
  )
  const hot = openHot(world, opened, cache)
  opening.use(
    onErased(feed, () => {
      store.clear()
      hot.clear()
    }),
  )
  const delivery = createCachedDelivery({
    cache,
    hot,
    direct: (request, peerAddress) => app.fetch(request, peerAddress),
    requestIds,
    now: world.now,
    monotonicMs: world.monotonicMs,
    onResponse(delivered) {
      const { request } = delivered
      const found = foundByClient.get(request) ?? { requestId: requestIds.of(request), ...nothing }
      onResponse({ operation: operationAt(request.url), found, ...delivered })
    },
  })
  return {
    hot,
    fetch(request, peerAddress) {
      if (!delivery.takes(request)) return app.fetch(request, peerAddress)
      const stepped = withHintSteps(request)
      peers.set(stepped, peerAddress)
      return delivery.fetch(stepped, peerAddress)
    },
  }
}

function openHot(
  { newId, monotonicMs }: Pick<World, 'newId' | 'monotonicMs'>,
  { purges, traffic, published, onCounted }: Opened,
  cache: HttpCache,
): HotDelivery {
  const { tap, isOwn, requests } = traffic
  const countryOf = ({ request, clientAddress }: HeadVisit) =>
    traffic.countryOf(request, clientAddress)
  // Nothing large is sent.
  const counter = createVisitCounter({ tap, isOwn, monotonicMs, countryOf, transfers: undefined })
  return createHotDelivery({
    newId,
    monotonicMs,
    cache,
    generations: purges,
    counter:
      requests === undefined ? counter : notingVisits(counter, requests, { countryOf, isOwn }),
    assetAt: (path) => published.asset(path),
    isTransform: (key) => isTransform(operationAt(key)),
    onResponse:
      onCounted && (({ key, ...sent }) => onCounted({ operation: operationAt(key), ...sent })),
  })
}

const operations = allOperations
  .filter(({ plane }) => plane === 'delivery')
  .map((operation) => ({ operation, prefix: operation.path.split('{')[0] ?? '' }))

function operationAt(url: string): Operation | undefined {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return operations.find(({ prefix }) => url.startsWith(prefix, path))?.operation
}
