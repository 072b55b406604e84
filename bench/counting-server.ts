import { openCountryDatabase } from '../src/adapters/mmdb/country-database.ts'
import { MemoryTrafficStore } from '../src/adapters/memory/traffic/memory-traffic-store.ts'
import { createTrafficCollector } from '../src/domain/insights/traffic-collector.ts'
import { createEdge } from '../src/edge/asset/edge.ts'
import { createHitTap } from '../src/edge/hits/hit-tap.ts'
import { createCountryOf } from '../src/http/request/request-country.ts'
import { addressList } from '../src/lib/net/address-list.ts'
import { PublishedWorld } from '../test/fixtures/published-world.ts'

/** An edge with 1,000 assets that counts or does not; `/cpu` answers the CPU time it has used, in µs. */
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
  ...(process.argv[2] === 'on' ? { countryOf } : {}),
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
