/**
 * Reads of the interface at a node that stands by, against the same at the node that writes: what a request takes of a
 * processor; and what a node with a million files holds in memory, and how soon it is there. The rows are put into the
 * database while no node runs: `ASSETS` says how many.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type Cluster, type ClusterNode, startCluster } from '../test/support/cluster.ts'
import { access, account } from '../test/support/service-process.ts'
import { until } from '../test/support/until.ts'
import { asInProduction, median, report, type Row } from './harness.ts'
import { cpuSeconds, residentBytes } from './process-usage.ts'

const assetCount = Number(process.env['ASSETS'] ?? 1_000_000)
const rounds = Number(process.env['ROUNDS'] ?? 7)
const requestsPerRound = 1_500
const clientCount = 8
const zoneCount = 100
const headers = { ...access, ...account }
const mib = 2 ** 20

await using cluster = await startCluster({ nodeCount: 2, environment: asInProduction })
const [first, second] = cluster.nodes
if (first === undefined || second === undefined) throw new Error('there are no two nodes')
// What has no commit yet would be made anew from the repository.
await fetch(`${first.url}/api/core/zones`, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({ Name: 'acme' }),
})
for (const node of [second, first]) await cluster.kill(node)
await fill(cluster)
for (const node of [first, second])
  await rm(join(node.dataDirectory, 'standby'), { recursive: true, force: true })
await until(async () => (await cluster.writer()) === undefined)

const rows: Row[] = []
const writerMs = await startedIn(first)
console.log(
  `the node that writes is there after ${seconds(writerMs)}, with ${await resident(first)}`,
)
const freshMs = await startedIn(second)
const memory = { writer: await resident(first), fresh: await resident(second) }
console.log(`one that follows is there after ${seconds(freshMs)}, with ${memory.fresh}`)
await cluster.kill(second)
const againMs = await startedIn(second)
console.log(`again it is after ${seconds(againMs)}, with ${await resident(second)}`)
await until(async () => await isLevel(second))
rows.push(
  {
    what: `start of the node that writes, ${count()} files`,
    figure: '',
    measured: seconds(writerMs),
  },
  {
    what: 'start of a node that stands by and has never followed',
    figure: '',
    measured: seconds(freshMs),
  },
  { what: 'start of the same with what it has kept', figure: '', measured: seconds(againMs) },
  {
    what: 'memory of the node that writes / of one that has just followed all / started again',
    figure: '',
    measured: `${memory.writer} / ${memory.fresh} / ${await resident(second)}`,
  },
)
for (const [what, path] of [
  ['a page of 50 files of the catalogue', '/api/assets?zone=zone-7&per_page=50'],
  ['the metadata of a file', '/api/assets/metadata?path=zone-7/v1/general/file-707.txt'],
  ['a zone', '/api/core/zones/zone-7'],
] as const)
  rows.push(await compareCpu(what, path))
await report('node-reads', rows)

/** Zones and files as if they had been published. */
async function fill({ database }: Cluster): Promise<void> {
  const name = await databaseName(database.port)
  const sql = new Bun.SQL(`postgres://sedge@127.0.0.1:${database.port}/${name}`, { max: 1 })
  try {
    await sql`
      insert into zones (name, created_at, enabled, suspended)
      select 'zone-' || n, 1767225600000, 1, 0 from generate_series(0, ${zoneCount - 1}) n`
    await sql`
      insert into assets (path, zone, category, name, format, size_bytes, sha256, content_type,
        created_at, changed_at, commit_id)
      select 'zone-' || (n % ${zoneCount}) || '/v1/general/file-' || n || '.txt',
        'zone-' || (n % ${zoneCount}), 'general', 'file-' || n || '.txt', 'txt', n,
        encode(sha256(n::text::bytea), 'hex'), 'text/plain; charset=utf-8',
        1767225600000 + n, 1767225600000 + n, '0123456789012345678901234567890123456789'
      from generate_series(0, ${assetCount - 1}) n`
  } finally {
    await sql.close()
  }
}

async function databaseName(port: number): Promise<string> {
  const sql = new Bun.SQL(`postgres://sedge@127.0.0.1:${port}/postgres`, { max: 1 })
  const found = (await sql`
    select datname from pg_database
    where not datistemplate and datname <> 'postgres' order by oid desc limit 1`) as {
    readonly datname: string
  }[]
  await sql.close()
  return found[0]?.datname ?? 'sedge'
}

async function startedIn(node: ClusterNode): Promise<number> {
  const began = performance.now()
  await cluster.start(node)
  await until(async () => (await read(node, '/api/core/zones/zone-7')) === 200)
  return performance.now() - began
}

async function read(node: ClusterNode, path: string): Promise<number> {
  const response = await fetch(`${node.url}${path}`, { headers })
  await response.arrayBuffer()
  return response.status
}

/** Whether it answers by itself. */
async function isLevel(node: ClusterNode): Promise<boolean> {
  const response = await fetch(`${node.url}/api/core/zones/zone-7`, { headers })
  await response.arrayBuffer()
  return Number(response.headers.get('x-sedge-behind-ms')) > 0
}

/** Alternately at both, so that whatever else the machine does meets both. */
async function compareCpu(what: string, path: string): Promise<Row> {
  const ratios: number[] = []
  const costs: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const there = await cpuOf(first!, path)
    const here = await cpuOf(second!, path)
    // The first is for warming up.
    if (round === 0) continue
    ratios.push(here / there)
    costs.push(here)
  }
  return {
    what: `${what}: processor time at a node that stands by, of that at the one that writes`,
    figure: '≤ 1.1x',
    measured: `${median(ratios).toFixed(2)}x (${(median(costs) * 1e6).toFixed(0)} µs)`,
  }
}

/** Seconds of its processor that a request takes. */
async function cpuOf(node: ClusterNode, path: string): Promise<number> {
  const pid = node.process?.pid ?? 0
  const before = await cpuSeconds(pid)
  let left = requestsPerRound
  await Promise.all(
    Array.from({ length: clientCount }, async () => {
      while (left > 0) {
        left -= 1
        const status = await read(node, path)
        if (status !== 200) throw new Error(`${path} was ${status}`)
      }
    }),
  )
  return ((await cpuSeconds(pid)) - before) / requestsPerRound
}

async function resident(node: ClusterNode): Promise<string> {
  return `${((await residentBytes(node.process?.pid ?? 0)) / mib).toFixed(0)} MiB`
}

function count(): string {
  return assetCount.toLocaleString('en-US')
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
