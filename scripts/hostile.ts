/**
 * `npm run hostile -- --requests 1000000 --seed 7 [--cluster]`: asks a service of its own, or a cluster of two nodes
 * with PostgreSQL and S3, what the description of the interface says may be asked, what clients of S3 and tus ask,
 * nearly that, and worse, by every kind of caller; ends with 1 where an answer is a 5xx that is not documented, is not
 * as described, tells what is another zone's, or where what another zone had stored is otherwise than it was.
 */
import { parseArgs } from 'node:util'

import { watchTurns } from '../src/lib/loop-turns.ts'
import { drive, type Tally } from '../test/hostility/drive.ts'
import { openHostileCluster } from '../test/hostility/cluster-service.ts'
import { openLocalService } from '../test/support/local-service.ts'
import { createRandom } from '../test/support/random.ts'
import { temporaryDirectory } from '../test/support/service-process.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    cluster: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed))
  throw new Error('--requests and --seed take whole numbers')

const mib = 2 ** 20
const startedAt = performance.now()
let longestTurn = { waitedMs: 0, computedMs: 0 }
let told = 0
let toldFaults = 0
let toldLines = 0
/** What the service said of its own faults; nodes of a cluster say it themselves. */
let lines: readonly string[] = []

/** What went wrong, with the service's own account of it, at once, and where memory stood at each tenth. */
function tell({ asked, byStatus, faults }: Tally): void {
  for (const fault of faults.slice(toldFaults)) console.log(fault)
  toldFaults = faults.length
  for (const line of lines.slice(toldLines)) console.log(line)
  toldLines = lines.length
  if (asked < ((told + 1) * requests) / 10) return
  told += 1
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const memory = Math.round(process.memoryUsage().rss / mib)
  const refused = [...byStatus].filter(([status]) => status >= 400)
  const share = refused.reduce((sum, [, count]) => sum + count, 0) / asked
  const turn = `${Math.round(longestTurn.waitedMs)} ms (${Math.round(longestTurn.computedMs)} computed)`
  console.log(
    `${asked} requests in ${seconds} s, ${Math.round(share * 100)} % refused, ${memory} MiB, longest turn ${turn}, ${faults.length} faults`,
  )
}

console.log(`${requests} requests, seed ${seed}, ${values.cluster ? 'a cluster' : 'one service'}`)
await using directory = await temporaryDirectory()
const openAlone = async () => {
  const service = await openLocalService({
    dataDirectory: directory.path,
    environment: { SEARCH_BY_NAME_ONLY: 'true' },
    keeps: (line) => line.includes('InternalError'),
  })
  lines = service.lines
  return service
}
await using service = await (values.cluster ? openHostileCluster() : openAlone())
using _turns = watchTurns({
  everyMs: 20,
  monotonicMs: () => performance.now(),
  onTurn(turn) {
    if (turn.waitedMs > longestTurn.waitedMs) longestTurn = turn
  },
})
const tally = await drive(service, { requests, random: createRandom(seed), onChapter: tell })
const byStatus = [...tally.byStatus].toSorted(([a], [b]) => a - b)
console.log(byStatus.map(([status, count]) => `${status}: ${count}`).join(', '))
console.log(`${tally.reached} operations were answered with what was asked for`)
if (tally.faults.length + lines.length > 0) process.exitCode = 1
