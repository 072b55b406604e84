import { parseArgs } from 'node:util'

import { defaultCachePolicy, type CachePolicy } from '../edge/cache/cache-policy.ts'
import type { CacheStore } from '../edge/cache/cache-store.ts'
import { MemoryStore } from '../edge/cache/memory-store.ts'
import { createPurgeGenerations } from '../edge/cache/purge-generations.ts'
import { createReverseProxy } from '../edge/cache/reverse-proxy.ts'
import { TieredStore } from '../edge/cache/tiered-store.ts'
import { exitCodes, UsageError, type Arguments, type Command } from './command.ts'

const usage = `sedge edge --origin <url> [options]

Runs a shared HTTP cache in front of any origin.

  --origin <url>       where to fetch from, e.g. https://origin.example
  --host <address>     address to listen on (127.0.0.1)
  --port <number>      port to listen on (8789)
  --memory <MiB>       room for stored answers in memory (256)
  --cache-dir <path>   keep larger and colder answers in this directory as well
  --disk <MiB>         room for them (4096)
  --keep-host          ask the origin by the client's Host instead of the origin's own
  --permitted          store all that RFC 9111 permits, error answers and cookies included
`

export interface EdgeSettings {
  readonly origin: URL
  readonly host: string
  readonly port: number
  readonly memoryBytes: number
  readonly cacheDirectory: string | undefined
  readonly diskBytes: number
  readonly keepsHost: boolean
  readonly storing: 'guarded' | 'permitted'
}

export interface Edge extends AsyncDisposable {
  readonly url: URL
}

export const edgeCommand: Command = {
  name: 'edge',
  summary: 'run a caching reverse proxy in front of an origin',
  usage,
  async run(args, { out }) {
    const settings = readEdgeSettings(args)
    await using edge = await openEdge(settings)
    out.write(`${edge.url.href} in front of ${settings.origin.href}\n`)
    const ending = Promise.withResolvers<void>()
    process.once('SIGTERM', ending.resolve).once('SIGINT', ending.resolve)
    await ending.promise
    return exitCodes.ok
  },
}

/** Listens until it is disposed. */
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

export function readEdgeSettings(args: Arguments): EdgeSettings {
  const { values } = parseWords(args)
  return {
    origin: readOrigin(values.origin),
    host: values.host,
    port: readWhole('--port', values.port, 65_535),
    memoryBytes: readWhole('--memory', values.memory, 2 ** 20) * 2 ** 20,
    cacheDirectory: values['cache-dir'],
    diskBytes: readWhole('--disk', values.disk, 2 ** 30) * 2 ** 20,
    keepsHost: values['keep-host'],
    storing: values.permitted ? 'permitted' : 'guarded',
  }
}

function parseWords(args: Arguments) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        origin: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '8789' },
        memory: { type: 'string', default: '256' },
        'cache-dir': { type: 'string' },
        disk: { type: 'string', default: '4096' },
        'keep-host': { type: 'boolean', default: false },
        permitted: { type: 'boolean', default: false },
      },
    })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'bad options', { cause })
  }
}

function readOrigin(text: string | undefined): URL {
  const origin = text === undefined ? null : URL.parse(text)
  if (origin === null || !/^https?:$/u.test(origin.protocol))
    throw new UsageError('--origin must be an http or https address')
  return origin
}

function readWhole(name: string, text: string, max: number): number {
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN
  if (!(value <= max)) throw new UsageError(`${name} must be a whole number up to ${max}`)
  return value
}
