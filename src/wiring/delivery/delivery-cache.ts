import { withHintSteps } from '../../http/request/client-hints.ts'
import { defaultCachePolicy } from '../../edge/cache/rfc9111/cache-policy.ts'
import { deliveryKeyOf } from '../../edge/purge/delivery-key.ts'
import { createHttpCache } from '../../edge/cache/http-cache.ts'
import { MemoryStore } from '../../edge/cache/store/memory-store.ts'
import { onErased } from '../../edge/purge/on-erased.ts'
import type { PurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { createCachedDelivery, createRequestIds } from '../../edge/cache/cached-delivery.ts'
import type { ObservedResponse, App } from '../../http/app.ts'
import { allOperations } from '../../planes/operations.ts'
import type { Feed } from '../../ports/records/manifest.ts'
import type { World } from '../world.ts'

const usualMemoryBytes = 128 * 2 ** 20

interface Opened {
  readonly app: App
  readonly purges: PurgeGenerations
  readonly feed: Pick<Feed, 'subscribe'>
  readonly opening: AsyncDisposableStack
  readonly onResponse: (answered: ObservedResponse) => void
  readonly memoryBytes?: number
}

/** The operations with the shared cache in front of what is made of assets. */
export function openDeliveryCache(
  world: Pick<World, 'now' | 'newId' | 'monotonicMs'>,
  opened: Opened,
): Pick<App, 'fetch'> {
  const { app, purges, feed, opening, onResponse, memoryBytes = usualMemoryBytes } = opened
  /** Who asked for what has to be made: it counts against what that network may have made. */
  const peers = new WeakMap<Request, string>()
  const requestIds = createRequestIds(world.newId)
  const { maxVariants } = defaultCachePolicy
  const store = new MemoryStore({ maxBytes: memoryBytes, maxVariants })
  opening.use(onErased(feed, () => store.clear()))
  const cache = opening.use(
    createHttpCache({
      store,
      generations: purges,
      keyOf: deliveryKeyOf,
      fetchOrigin(upstream, client) {
        upstream.headers.set('X-Request-ID', requestIds.of(client))
        return app.fill(upstream, peers.get(client) ?? 'cache')
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
  const operations = allOperations
    .filter(({ plane }) => plane === 'delivery')
    .map((operation) => ({ operation, prefix: operation.path.split('{')[0] ?? '' }))
  const delivery = createCachedDelivery({
    cache,
    direct: (request, peerAddress) => app.fetch(request, peerAddress),
    requestIds,
    now: world.now,
    monotonicMs: world.monotonicMs,
    onResponse(delivered) {
      const { url } = delivered.request
      const path = url.indexOf('/', url.indexOf('://') + 3)
      const found = operations.find(({ prefix }) => url.startsWith(prefix, path))
      onResponse({ operation: found?.operation, ...delivered })
    },
  })
  return {
    fetch(request, peerAddress) {
      if (!delivery.takes(request)) return app.fetch(request, peerAddress)
      const stepped = withHintSteps(request)
      peers.set(stepped, peerAddress)
      return delivery.fetch(stepped, peerAddress)
    },
  }
}
