/**
 * `npm run edges -- --edges 1000 --cut 100 --minutes 60 --seed 7`: the parts of an origin and as many edges, in
 * simulated time, of which some are cut off, slow, started anew or away for long at any time; ends with 1 where one
 * shows what was not published, goes back, keeps what was purged, or does not agree at the end. Then the memory of
 * a real service for as many connections, of which some do not read (Linux alone; `--no-sockets` leaves it out).
 */
import { parseArgs } from 'node:util'

import { percentile } from '../bench/harness.ts'
import { runEdgesInTheLarge } from '../test/edges-large/edges-in-the-large.ts'
import { measureOriginMemory } from '../test/edges-large/origin-memory.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '1000' },
    cut: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    'no-sockets': { type: 'boolean', default: false },
    'no-simulation': { type: 'boolean', default: false },
  },
})
const [edges, cut, minutes, seed] = [values.edges, values.cut, values.minutes, values.seed].map(
  Number,
) as [number, number, number, number]
if (
  ![edges, cut, minutes, seed].every(Number.isSafeInteger) ||
  edges < 1 ||
  cut < 0 ||
  cut >= edges
)
  throw new Error(
    '--edges, --cut, --minutes and --seed take whole numbers, --cut less than --edges',
  )

const maxKilobytes = 100
const mib = 2 ** 20

if (!values['no-simulation']) await simulate()
if (!values['no-sockets'] && process.platform === 'linux') await measure()

async function simulate(): Promise<void> {
  console.log(`${edges} edges, ${cut} in trouble at any time, ${minutes} minutes, seed ${seed}`)
  const startedAt = performance.now()
  let told = 0
  const outcome = await runEdgesInTheLarge({
    edges,
    cut,
    minutes,
    seed,
    onMinute(minute, faults) {
      for (const fault of faults.slice(told)) console.log(fault)
      told = faults.length
      if (minute % Math.ceil(minutes / 12) !== 0) return
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      const memory = Math.round(process.memoryUsage().rss / mib)
      console.log(`minute ${minute} after ${seconds} s, ${memory} MiB, ${faults.length} faults`)
    },
  })
  const { faults, agreeing, acknowledged, troubles, count, cost, purgeMs } = outcome
  for (const fault of faults.slice(told)) console.log(fault)
  console.log(
    `troubles: ${Object.entries(troubles)
      .map(([kind, times]) => `${times} ${kind}`)
      .join(', ')}`,
  )
  console.log(
    `${cost.publications} publications up to number ${outcome.seq}, ${(cost.computedMs / cost.publications).toFixed(2)} ms each to write and hand to all`,
  )
  console.log(
    `${count.messages} messages over ${count.connections} connections, ${Math.round(count.messageBytes / count.messages)} bytes each (the largest ${cost.largestFrame}), ${(count.messageBytes / edges / mib).toFixed(2)} MiB an edge`,
  )
  console.log(
    `${count.resyncs} comparisons of manifests, ${Math.round(count.manifestBytes / Math.max(1, count.resyncs + edges))} bytes each`,
  )
  console.log(
    `a purge held after ${percentile(purgeMs, 0.5)} ms (p50), ${percentile(purgeMs, 0.99)} ms (p99), ${percentile(purgeMs, 1)} ms at most, ${purgeMs.length} times`,
  )
  console.log(
    `${agreeing} of ${edges} agree at the end, ${acknowledged} have said so, ${faults.length} faults`,
  )
  if (faults.length > 0 || agreeing < edges || acknowledged < edges) process.exitCode = 1
}

async function measure(): Promise<void> {
  await using directory = await temporaryDirectory()
  const memory = await measureOriginMemory({
    directory: directory.path,
    edges,
    slow: cut,
    // More changes than the feed remembers.
    warmBatches: 450,
    batches: 300,
  })
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
  console.log(
    `${edges} real connections: ${kilobytes(memory.readingBytes)} of the service for each`,
  )
  console.log(
    `with ${cut} that do not read, and ${(memory.waitingBytes / mib).toFixed(1)} MiB for them to read: ${kilobytes(memory.withSlowBytes)} for each of all`,
  )
  if (memory.withSlowBytes > maxKilobytes * 1000) process.exitCode = 1
}
