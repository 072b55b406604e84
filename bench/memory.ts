import { mixedRequest, publishForLoad } from '../test/support/mixed-load.ts'
import { createRandom } from '../test/support/random.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { asInProduction, report } from './harness.ts'
import { residentBytes } from './process-usage.ts'

/** Whether the service holds more memory the longer it answers. */
const minutes = Number(process.env['SEDGE_BENCH_MINUTES'] ?? 10)
const clients = 8
const sampleEveryMs = 2_000
const maxGrowth = 1.1
const mib = 2 ** 20

await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: directory.path,
  environment: asInProduction,
})
await publishForLoad(service.url)
const load = { isOn: true, requests: 0 }
const loading = Array.from({ length: clients }, async (_, client) => {
  const random = createRandom(client)
  while (load.isOn) {
    await mixedRequest(service.url, random)
    load.requests += 1
  }
})
const samples: number[] = []
const end = performance.now() + minutes * 60_000
while (performance.now() < end) {
  await Bun.sleep(sampleEveryMs)
  samples.push(await residentBytes(service.pid))
}
load.isOn = false
await Promise.all(loading)

/** The first fifth fills the caches. */
const after = (share: number) => samples.slice(Math.floor(samples.length * share))
const early = Math.max(...after(0.2).slice(0, Math.ceil(samples.length * 0.2)))
const late = Math.max(...after(0.8))
await report('memory', [
  {
    what: `resident memory of the service, last fifth of ${minutes} minutes against the second fifth (largest samples)`,
    figure: `≤ ${maxGrowth}x`,
    measured: `${(late / early).toFixed(2)}x (${(late / mib).toFixed(0)} against ${(early / mib).toFixed(0)} MiB, ${load.requests} requests of ${clients} clients, a tenth broken off)`,
  },
])
