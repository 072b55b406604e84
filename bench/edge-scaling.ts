/**
 * What a second edge process on the same port is worth. With as few processors as processes, the load
 * generator takes part of what it measures, so it is asked in three ways: by the clock where each edge
 * may have the same small part of a processor, so that there is room for the generator and everybody
 * else; by what a CPU-second of the edges serves, with an edge and half of the generator on each processor; and by the clock
 * with nothing held back, which on a small machine says how the processors were shared.
 */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../test/support/edge-process.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { type CpuLimit, limitCpu } from './cpu-limit.ts'
import { compare, median, report, type Row } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS_A_ROUND'] ?? 3)
/** Of a processor, for each edge: little enough that it gets it whatever else runs. */
const part = Number(process.env['PART'] ?? 0.15)
const warmingRounds = 3
const connectionsAnEdge = 64
const path = 'bench/v1/icons/ten.bin'

interface Load {
  readonly perSecond: number
  readonly processors: number
  readonly perCpuSecond: number
}

/** Requests until `seconds` are over, from as many generators as there are `places`. */
async function load(
  url: string,
  edges: readonly EdgeProcess[],
  places: readonly (readonly string[])[] = [[]],
): Promise<Load> {
  const cpu = async () =>
    (await Promise.all(edges.map(({ pid }) => cpuSeconds(pid)))).reduce(
      (sum, each) => sum + each,
      0,
    )
  const before = await cpu()
  // Each edge has as many to answer at a time: so it finds as much work whenever it looks.
  const connections = (connectionsAnEdge * edges.length) / places.length
  const counts = await Promise.all(
    places.map(async (place) => {
      const words = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, `${url}/${path}`]
      const child = Bun.spawn([...place, ...words], { stdout: 'pipe' })
      const text = await new Response(child.stdout).text()
      const requests = Number(/(\d+) requests in/u.exec(text)?.[1])
      if (/Non-2xx/u.test(text) || !(requests > 0)) throw new Error(text)
      return requests
    }),
  )
  const used = (await cpu()) - before
  const requests = counts.reduce((sum, each) => sum + each, 0)
  return {
    perSecond: requests / seconds,
    processors: used / seconds,
    perCpuSecond: requests / used,
  }
}

interface Edges {
  readonly alone: EdgeProcess
  /** On one port. */
  readonly pair: readonly [EdgeProcess, EdgeProcess]
}

interface Comparison {
  readonly title: string
  readonly one: () => Promise<Load>
  readonly two: () => Promise<Load>
  readonly by: 'perSecond' | 'perCpuSecond'
}

/** The ratio of two edges to one, and what they used. */
async function measure({ title, one, two, by }: Comparison) {
  const loads = { one: [] as Load[], two: [] as Load[] }
  const run = (name: keyof typeof loads, ask: () => Promise<Load>) => async () => {
    const found = await ask()
    loads[name].push(found)
    return found[by]
  }
  const ratios = await compare({
    title,
    ours: { name: 'two edge processes', run: run('two', two) },
    peers: [{ name: 'one', run: run('one', one) }],
    rounds,
  })
  const processorsOf = (name: keyof typeof loads) =>
    median(loads[name].map(({ processors }) => processors)).toFixed(2)
  return {
    ratio: `${(ratios.get('one') ?? Number.NaN).toFixed(2)}x`,
    used: `${processorsOf('two')} against ${processorsOf('one')} processors used by the edges`,
  }
}

async function measureLimited({ alone, pair }: Edges): Promise<Row> {
  const what = `requests/s of two edges on one port against one, each held to ${part} of a processor`
  const figure = '≥ 1.8x'
  await using limits = new AsyncDisposableStack()
  for (const { pid } of [alone, ...pair]) {
    const limit: CpuLimit | undefined = await limitCpu(pid)
    if (limit === undefined) return { what, figure, measured: 'skipped: needs control groups' }
    limits.use(limit)
    await limit.set(part)
  }
  const { ratio, used } = await measure({
    title: `10 KB asset, hot, each edge held to ${part} of a processor (requests/s)`,
    one: () => load(alone.url, [alone]),
    two: () => load(pair[0].url, pair),
    by: 'perSecond',
  })
  return { what, figure, measured: `${ratio} (${used}; load average ${loadavg()[0]?.toFixed(1)})` }
}

function pin({ pid }: EdgeProcess, processors: string): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-cp', processors, String(pid)])
  if (status !== 0) throw new Error(String(stderr))
}

/** Half of the generator on each processor, so that an edge has the same neighbour either way. */
const halves = ['0', '1'].map((processor) => ['taskset', '-c', processor])

async function measurePinned({ alone, pair }: Edges): Promise<Row> {
  pin(alone, '0')
  pin(pair[0], '0')
  pin(pair[1], '1')
  const { ratio, used } = await measure({
    title:
      '10 KB asset, hot, each edge and half of the generator on a processor (requests per CPU-second)',
    one: () => load(alone.url, [alone], halves),
    two: () => load(pair[0].url, pair, halves),
    by: 'perCpuSecond',
  })
  for (const edge of [alone, ...pair]) pin(edge, `0-${cpus().length - 1}`)
  return {
    what: 'requests per CPU-second of two edges, each on a processor with half of the generator, against one',
    figure: '≥ 0.9x, which makes 1.8x of twice the processors',
    measured: `${ratio} (${used})`,
  }
}

async function measureFree({ alone, pair }: Edges): Promise<Row> {
  const { ratio, used } = await measure({
    title: '10 KB asset, hot, nothing held back (requests/s)',
    one: () => load(alone.url, [alone]),
    two: () => load(pair[0].url, pair),
    by: 'perSecond',
  })
  return {
    what: `the same with nothing held back, the generator on the same ${cpus().length} processors`,
    figure: '',
    measured: `${ratio} (${used})`,
  }
}

async function main(): Promise<void> {
  if (['wrk', 'taskset'].some((program) => spawnSync(program, ['-v']).error !== undefined)) {
    console.log('skipped: needs wrk and taskset (apt-get install wrk util-linux)')
    return
  }
  await using directory = await temporaryDirectory()
  await using service = await startService({
    dataDirectory: join(directory.path, 'origin'),
    environment: { LOG_LEVEL: 'error' },
  })
  const zone = { method: 'POST', headers: account, body: '{"Name":"bench"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()
  const body = crypto.getRandomValues(new Uint8Array(10_240))
  const put = { method: 'PUT', headers: access, body }
  await (await fetch(`${service.url}/api/storage/${path}`, put)).arrayBuffer()
  const token = await edgeTokenOf(service.url)
  const edgeIn = (name: string, ...args: readonly string[]) =>
    startEdge({ origin: service.url, token, name, directory: join(directory.path, name), args })
  await using alone = await edgeIn('alone')
  await using first = await edgeIn('first', '--reuse-port')
  const { port } = new URL(first.url)
  await using second = await edgeIn('second', '--reuse-port', '--port', port)
  const edges: Edges = { alone, pair: [first, second] }
  // Code that is still being compiled is not what is measured.
  for (let round = 0; round < warmingRounds; round += 1) {
    await load(alone.url, [alone])
    await load(first.url, [first, second])
  }
  await report('edge-scaling', [
    await measureLimited(edges),
    await measurePinned(edges),
    await measureFree(edges),
  ])
}

await main()
