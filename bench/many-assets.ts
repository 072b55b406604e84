/**
 * A hundred thousand different assets of 4 KB: asked for one after the other with the fields of a browser, where all
 * are at hand, and where there is so little memory that each is gone again before its turn comes. The edge with its
 * hot line and its counting beside nginx, by requests for each second of processor time: `many-assets.ts <count>`.
 * `BESIDE` names the directory of another version, which is measured in the same run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { browser } from './browser-fields.ts'
import { writeObjects } from './edge-objects.ts'
import { type BenchServer, startEdge, startNginx } from './edge-servers.ts'
import { compare, type Contender, report, type Row } from './harness.ts'
import { sendAll } from './keep-alive-load.ts'
import { exactCpuSecondsOfTree, residentBytes } from './process-usage.ts'

const [, , manyText = '100000'] = process.argv
const many = Number(manyText)
const rounds = Number(process.env['ROUNDS'] ?? 9)
const requests = Number(process.env['REQUESTS'] ?? 20_000)
const beside = process.env['BESIDE']
const connections = 64
const mib = 2 ** 20

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-many-'))
await using closing = new AsyncDisposableStack()
closing.defer(() => rm(directory, { recursive: true }))
const objects = await writeObjects(directory, many)
const paths = Array.from({ length: many }, (_, index) => `/bench/v1/icons/n${index}.png`)
const nginx = closing.use(await startNginx(objects, { port: 18_961, isTuned: false }))

const rows: Row[] = []
await race('all at hand', '≥ 1.0x nginx', 1024 * mib)
await race('every one a miss', '≥ 0.8x nginx', 16 * mib)
await report('many-assets', rows)

async function race(what: string, figure: string, memoryBytes: number): Promise<void> {
  await using edge = await startEdge(objects, { memoryBytes })
  const others = beside === undefined ? [] : [await startEdge(objects, { memoryBytes, of: beside })]
  await using _other = others[0]
  for (const server of [edge, nginx, ...others]) await ask(server, { first: 0, count: many * 2 })
  const ratios = await compare({
    title: `${many} assets, ${what} (requests per CPU-second)`,
    ours: contender(edge),
    peers: [nginx, ...others].map(contender),
    rounds,
  })
  const held = ((await residentBytes(edge.pid)) / mib).toFixed(0)
  rows.push({
    what: `${many.toLocaleString('en-US')} different assets of 4 KB, ${what}`,
    figure,
    measured: `${[nginx, ...others].map(({ name }) => `${(ratios.get(name) ?? Number.NaN).toFixed(2)}x of ${name}`).join(', ')}; ${held} MiB resident`,
  })
}

interface Asked {
  readonly first: number
  readonly count: number
}

async function ask(server: BenchServer, { first, count }: Asked): Promise<void> {
  await sendAll({
    url: new URL(`http://127.0.0.1:${server.port}`),
    path: paths,
    first,
    headers: browser,
    status: 200,
    requests: count,
    connections,
  })
}

/** Each round goes on where the one before ended. */
function contender(server: BenchServer): Contender {
  let first = 0
  return {
    name: server.name,
    async run() {
      const before = await exactCpuSecondsOfTree(server.pid)
      await ask(server, { first, count: requests })
      first += requests
      return requests / ((await exactCpuSecondsOfTree(server.pid)) - before)
    },
  }
}
