import { defaultCachePolicy, type CachePolicy } from '../../edge/cache/rfc9111/cache-policy.ts'
import type { CacheStore } from '../../edge/cache/store/cache-store.ts'
import { MemoryStore } from '../../edge/cache/store/memory-store.ts'
import { createPurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { createReverseProxy } from '../../edge/cache/reverse-proxy.ts'
import { TieredStore } from '../../edge/cache/store/tiered-store.ts'
import type { EdgeSettings } from './edge-settings.ts'

export interface Edge extends AsyncDisposable {
  readonly url: URL
}

/** A shared cache that listens until it is disposed. */
export async function openEdge(settings: EdgeSettings): Promise<Edge> {
  const { storing, host, port, origin, keepsHost } = settings
  const policy = { ...defaultCachePolicy, storing }
  const proxy = createReverseProxy({
    origin,
    keepsHost,
    clientAddressOf: (request) => server.requestIP(request)?.address,
    cache: {
      policy,
      store: await openStore(settings, policy),
      generations: createPurgeGenerations(),
      now: Date.now,
    },
  })
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: 75,
    // Otherwise a body that breaks off would be told to the client as a page about our code.
    development: false,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request) => proxy.fetch(request),
  })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

async function openStore(settings: EdgeSettings, policy: CachePolicy): Promise<CacheStore> {
  const { memoryBytes, diskBytes, cacheDirectory } = settings
  return cacheDirectory === undefined
    ? new MemoryStore({ maxBytes: memoryBytes, maxVariants: policy.maxVariants })
    : TieredStore.open({
        directory: cacheDirectory,
        maxMemoryBytes: memoryBytes,
        maxDiskBytes: diskBytes,
        policy,
      })
}
