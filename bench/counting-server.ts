import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DiskRequestLogStore } from '../src/adapters/disk/request-log/disk-request-log-store.ts'
import { openCountryDatabase } from '../src/adapters/mmdb/country-database.ts'
import { MemoryTrafficStore } from '../src/adapters/memory/traffic/memory-traffic-store.ts'
import { createTrafficCollector } from '../src/domain/insights/traffic-collector.ts'
import { createRequestLog } from '../src/domain/logs/requests/request-log.ts'
import { createEdge } from '../src/edge/asset/edge.ts'
import { createHitTap } from '../src/edge/hits/hit-tap.ts'
import { createCountryOf } from '../src/http/request/request-country.ts'
import { addressList } from '../src/lib/net/address-list.ts'
import { openNoting } from '../src/wiring/delivery/request-noting.ts'
import { PublishedWorld } from '../test/fixtures/published-world.ts'

/** An edge with 1,000 assets that counts and keeps lines of requests, only counts, or does neither; `/cpu` answers the CPU time it has used, in µs. */
const isCounting = process.argv[2] !== 'off'
const world = new PublishedWorld()
for (let asset = 0; asset < 1_000; asset += 1)
  await world.publish(`acme/v1/icons/${String(asset).padStart(4, '0')}.bin`, new Uint8Array(1_000))

const tap = createHitTap()
const countries = await openCountryDatabase()
const countryOf = createCountryOf({
  lookUp: (address) => countries.countryOf(address),
  proxies: addressList([]),
  header: 'CF-IPCountry',
})
const noting = openNoting({
  trustedProxies: [],
  requestLogMb: 256,
  requestLogPerSecond: 1_000,
  requestLogSample: 1,
  requestLogNetworks: true,
})
if (process.argv[2] === 'lines')
  createRequestLog({
    store: await DiskRequestLogStore.open({
      directory: await mkdtemp(join(tmpdir(), 'sedge-lines-')),
      maxBytes: { failed: 2 ** 25, refused: 2 ** 25, missing: 2 ** 25, delivered: 2 ** 27 },
      now: () => Date.now(),
    }),
    drain: () => noting.tap.drain(),
    process: 'bench',
    log: { warn: (message) => void process.stderr.write(`${message}\n`) },
  })
if (isCounting)
  createTrafficCollector({
    store: new MemoryTrafficStore(),
    drain: () => tap.drain(),
    process: 'bench',
    now: () => new Date(),
    log: { warn: (message) => void process.stderr.write(`${message}\n`) },
  })
const edge = createEdge({
  manifest: world,
  feed: world,
  blobs: world.blobs,
  ...(isCounting ? { tap } : {}),
  ...(isCounting && process.argv[2] !== 'bare' ? { countryOf } : {}),
  ...(process.argv[2] === 'lines' ? { requests: noting } : {}),
})
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, listener) {
    if (request.url.endsWith('/cpu')) {
      const { user, system } = process.cpuUsage()
      return new Response(String(user + system))
    }
    return edge.fetch(request, listener.requestIP(request)?.address)
  },
})
process.stdout.write(`${server.port}\n`)
