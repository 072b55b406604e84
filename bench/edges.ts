/**
 * How soon everybody has what was published: from the answer to a PUT until each of a hundred edges
 * has it. Three are real processes, asked for the new bytes over and over; the others are connections
 * that do nothing but hear the feed. All run on this machine, beside the service. Then what one event
 * to a thousand edges costs, and what a second edge process on the same port is worth.
 */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../test/support/edge-process.ts'
import { openFeedListeners } from '../test/support/feed-listeners.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { until } from '../test/support/until.ts'
import { compare, median, percentile, report, type Row } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS_A_ROUND'] ?? 3)
const commits = Number(process.env['COMMITS'] ?? 40)
const realEdges = 3
const allEdges = 100
const manyEdges = 1_000
const path = 'bench/v1/icons/ten.bin'

interface World {
  readonly service: ServiceProcess
  readonly token: string
  readonly edgeIn: (name: string, ...args: readonly string[]) => Promise<EdgeProcess>
}

async function put({ service }: World, body: BodyInit): Promise<void> {
  const response = await fetch(`${service.url}/api/storage/clients/${path}`, {
    method: 'PUT',
    headers: access,
    body,
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`PUT answered ${response.status}`)
}

async function position({ service, token }: World): Promise<string> {
  const response = await fetch(`${service.url}/api/edges/manifest`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { Position: string }).Position
}

const seqOf = (text: string): number => Number(text.split('.')[0])

/** Milliseconds from `startMs` until the edge serves `wanted`. */
async function servedAfter(edge: EdgeProcess, wanted: string, startMs: number): Promise<number> {
  for (;;) {
    const response = await fetch(`${edge.url}/${path}`)
    if ((await response.text()) === wanted) return performance.now() - startMs
  }
}

async function measureCommits(world: World): Promise<readonly Row[]> {
  const edges = await Promise.all(
    Array.from({ length: realEdges }, (_, place) => world.edgeIn(`real-${place}`)),
  )
  using listeners = await openFeedListeners(world.service.url, {
    count: allEdges - realEdges,
    since: await position(world),
    token: world.token,
  })
  const simulated: number[] = []
  const real: number[] = []
  const slowest: number[] = []
  for (let commit = 0; commit < commits; commit += 1) {
    const body = `commit ${commit}`
    await put(world, body)
    const answeredMs = performance.now()
    const served = await Promise.all(edges.map((edge) => servedAfter(edge, body, answeredMs)))
    const seq = seqOf(await position(world))
    await until(() => listeners.heard(seq) === allEdges - realEdges)
    // Who hears before the answer has reached the writer waits for nothing.
    const heard = listeners.timesOf(seq).map((atMs) => Math.max(0, atMs - answeredMs))
    simulated.push(...heard)
    real.push(...served)
    slowest.push(Math.max(...heard, ...served))
  }
  for (const edge of edges) await edge.stop()
  const both = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`
  return [
    {
      what: `PUT answered → every one of ${allEdges} edges (${realEdges} real ones serve it, the others heard it), ${commits} commits`,
      figure: 'p50 ≤ 250 ms, p99 ≤ 2 s',
      measured: both(slowest),
    },
    { what: 'of these, a real edge serves the new bytes', figure: '', measured: both(real) },
    {
      what: 'of these, a connection heard of it',
      figure: '',
      measured: both(simulated),
    },
  ]
}

async function measureFanOut(world: World): Promise<Row> {
  using listeners = await openFeedListeners(world.service.url, {
    count: manyEdges,
    since: await position(world),
    token: world.token,
  })
  const last: number[] = []
  for (let event = 0; event < 20; event += 1) {
    await put(world, `event ${event}`)
    const answeredMs = performance.now()
    const seq = seqOf(await position(world))
    await until(() => listeners.heard(seq) === manyEdges)
    last.push(Math.max(0, ...listeners.timesOf(seq).map((atMs) => atMs - answeredMs)))
  }
  return {
    what: `PUT answered → the last of ${manyEdges} connections has heard of it (all in this one process)`,
    figure: '≤ 100 ms',
    measured: `p50 ${median(last).toFixed(0)} ms, p99 ${percentile(last, 0.99).toFixed(0)} ms`,
  }
}

interface Load {
  readonly perSecond: number
  readonly processors: number
  readonly perCpuSecond: number
}

async function load(url: string, pids: readonly number[]): Promise<Load> {
  const cpu = async () =>
    (await Promise.all(pids.map((pid) => cpuSeconds(pid)))).reduce((sum, each) => sum + each, 0)
  const before = await cpu()
  const child = Bun.spawn(['wrk', '-t1', '-c64', `-d${seconds}s`, `${url}/${path}`], {
    stdout: 'pipe',
  })
  const text = await new Response(child.stdout).text()
  const used = (await cpu()) - before
  const requests = Number(/(\d+) requests in/u.exec(text)?.[1])
  if (/Non-2xx/u.test(text) || !(requests > 0)) throw new Error(text)
  return {
    perSecond: requests / seconds,
    processors: used / seconds,
    perCpuSecond: requests / used,
  }
}

async function measureScaling(world: World): Promise<readonly Row[]> {
  if (spawnSync('wrk', ['-v']).error !== undefined) {
    console.log('skipped: needs wrk (apt-get install wrk)')
    return []
  }
  await put(world, crypto.getRandomValues(new Uint8Array(10_240)))
  const alone = await world.edgeIn('alone')
  const first = await world.edgeIn('first', '--reuse-port')
  const port = new URL(first.url).port
  const second = await world.edgeIn('second', '--reuse-port', '--port', port)
  const measured = { one: [] as Load[], two: [] as Load[] }
  const measure = async (name: keyof typeof measured): Promise<number> => {
    const result = await (name === 'one'
      ? load(alone.url, [alone.pid])
      : load(first.url, [first.pid, second.pid]))
    measured[name].push(result)
    return result.perSecond
  }
  const ratios = await compare({
    title: '10 KB asset, hot, 64 connections (requests/s)',
    ours: { name: 'two edge processes', run: () => measure('two') },
    peers: [{ name: 'one', run: () => measure('one') }],
    rounds,
  })
  for (const edge of [alone, first, second]) await edge.stop()
  const of = (name: keyof typeof measured, what: keyof Load) =>
    median(measured[name].map((each) => each[what]))
  const processors = (name: keyof typeof measured) => of(name, 'processors').toFixed(2)
  return [
    {
      what: `requests/s of two edge processes on one port against one, ${cpus().length} processors, the load generator (wrk) on them too`,
      figure: '≥ 1.8x on a machine whose processors are free',
      measured: `${(ratios.get('one') ?? Number.NaN).toFixed(2)}x (${processors('two')} against ${processors('one')} processors used by the edges; load average ${loadavg()[0]?.toFixed(1)})`,
    },
    {
      what: 'requests per CPU-second of the edges, two against one',
      figure: '≥ 0.9x, which makes 1.8x of twice the processors',
      measured: `${(of('two', 'perCpuSecond') / of('one', 'perCpuSecond')).toFixed(2)}x`,
    },
  ]
}

async function main(): Promise<void> {
  await using directory = await temporaryDirectory()
  await using service = await startService({
    dataDirectory: join(directory.path, 'origin'),
    environment: { LOG_LEVEL: 'error' },
  })
  const zone = { method: 'POST', headers: account, body: '{"Name":"bench"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()
  const token = await edgeTokenOf(service.url)
  const world: World = {
    service,
    token,
    edgeIn: (name, ...args) =>
      startEdge({
        origin: service.url,
        token,
        name,
        directory: join(directory.path, name),
        args,
      }),
  }
  await put(world, 'first')
  await report('edges', [
    ...(await measureCommits(world)),
    await measureFanOut(world),
    ...(await measureScaling(world)),
  ])
}

await main()
