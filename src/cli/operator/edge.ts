import { defaultCachePolicy, type CachePolicy } from '../../edge/cache/rfc9111/cache-policy.ts'
import type { CacheStore } from '../../edge/cache/store/cache-store.ts'
import { MemoryStore } from '../../edge/cache/store/memory-store.ts'
import { createPurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { createReverseProxy } from '../../edge/cache/reverse-proxy.ts'
import { TieredStore } from '../../edge/cache/store/tiered-store.ts'
import { type Command, exitCodes } from '../support/command.ts'
import { type EdgeSettings, readEdgeSettings } from './edge-settings.ts'

const usage = `sedge edge --origin <url> --token <token> [options]
sedge edge --origin <url> [options]

With a token of a Sedge service (scope edges:sync) it runs as an edge of that
service: it follows what is published, keeps it, delivers it, and goes on where
the origin is away. Without one it runs a shared HTTP cache in front of any origin.

  --origin <url>       where to fetch from: the service, another edge, or any origin
  --token <token>      or EDGE_TOKEN, which other users of the machine cannot see
  --name <name>        what the origin knows the edge by (made at the first start)
  --host <address>     address to listen on (127.0.0.1)
  --port <number>      port to listen on (8789)
  --reuse-port         let several edges listen on one port (Linux)
  --memory <MiB>       room for answers in memory (256)
  --cache-dir <path>   keep larger and colder answers here; for an edge of a service,
                       all that it keeps (./edge-data)
  --disk <MiB>         room for them (4096)
  --keep-host          ask the origin by the client's Host instead of the origin's own
  --permitted          without a token: store all that RFC 9111 permits

An edge of a service heeds TLS_CERT_FILE, TLS_KEY_FILE, TLS_CERTIFICATES, HTTP_PORT,
HSTS_MAX_AGE, SECRETS_KEY, EDGE_KEYS_OVER_HTTP, BASE_URL, DASHBOARD_HOST, TRUSTED_PROXIES,
COUNTRY_HEADER, SIGNED_URL_SECRET, METRICS_PORT, METRICS_HOST and LOG_LEVEL as the service does.

Exit codes: 0 ended as asked, 1 could not run, 2 wrong use.`

export interface Edge extends AsyncDisposable {
  readonly url: URL
}

export const edgeCommand: Command = {
  name: 'edge',
  summary: 'run an edge of a service, or a shared cache in front of any origin',
  usage,
  async run(args, terminal) {
    const settings = readEdgeSettings(args, terminal.environment)
    const { token } = settings
    if (token !== undefined) {
      // No other command waits until all that it needs is loaded.
      const { runEdgeNode } = await import('./edge-node.ts')
      return await runEdgeNode({ ...settings, token }, terminal)
    }
    const { out } = terminal
    await using edge = await openEdge(settings)
    const ending = Promise.withResolvers<void>()
    process.once('SIGTERM', ending.resolve).once('SIGINT', ending.resolve)
    out.write(`${edge.url.href} in front of ${settings.origin.href}\n`)
    await ending.promise
    return exitCodes.ok
  },
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
