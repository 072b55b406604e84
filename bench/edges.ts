/**
 * How soon everybody has what was published: from the response to a PUT until each of a hundred edges
 * has it. Three are real processes, asked for the new bytes over and over; the others are connections
 * that do nothing but hear the feed. All run on this machine, beside the service. Then how long one
 * event to a thousand edges takes: their connections are in a small C program that reads and notes the
 * time, since a thousand sockets of this process would be most of what is measured.
 */
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
import { canListenCheaply, openCheapFeedListeners } from './cheap-feed-listeners.ts'
import { median, percentile, report, type Row } from './harness.ts'

const commits = Number(process.env['COMMITS'] ?? 40)
const events = Number(process.env['EVENTS'] ?? 100)
const realEdges = 3
const allEdges = 100
const manyEdges = 1_000
const path = 'bench/v1/icons/ten.bin'

interface World {
  readonly service: ServiceProcess
  readonly token: string
  readonly directory: string
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
    // Who hears before the response has reached the writer waits for nothing.
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

async function measureFanOut(world: World): Promise<readonly Row[]> {
  if (!canListenCheaply()) {
    console.log('skipped: needs a C compiler (apt-get install gcc)')
    return []
  }
  const { service, token, directory } = world
  const since = await position(world)
  const options = { url: service.url, count: manyEdges, since, token, directory }
  using listeners = await openCheapFeedListeners(options)
  const sent: number[] = []
  const heard: number[] = []
  const sending: number[] = []
  for (let event = 0; event < events; event += 1) {
    await put(world, `event ${event}`)
    const answeredAtMs = Date.now()
    const told = await listeners.next()
    sent.push(told.lastSentAtMs - answeredAtMs)
    heard.push(told.lastHeardAtMs - answeredAtMs)
    sending.push(told.lastSentAtMs - told.firstSentAtMs)
  }
  const both = (values: readonly number[]) =>
    `p50 ${median(values).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`
  const load = `load average ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`
  return [
    {
      what: `PUT answered → the last of ${manyEdges} connections has read of it, ${events} events`,
      figure: '≤ 100 ms',
      measured: `${both(heard)} (${load})`,
    },
    {
      what: 'PUT answered → the kernel has the last of them from the service',
      figure: '',
      measured: both(sent),
    },
    { what: 'the first of them → the last of them', figure: '', measured: both(sending) },
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
    directory: directory.path,
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
  await report('edges', [...(await measureCommits(world)), ...(await measureFanOut(world))])
}

await main()
