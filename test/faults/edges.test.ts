import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import { openPublishingLoad, watchEdge } from '../support/edge-ledger.ts'
import { createRandom } from '../support/random.ts'
import {
  access,
  account,
  startService,
  type ServiceProcess,
  temporaryDirectory,
} from '../support/service-process.ts'
import { openRoughProxy } from '../support/rough-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const kills = Number(process.env['EDGE_KILLS'] ?? 8)
const partitions = Number(process.env['EDGE_PARTITIONS'] ?? 6)
/** A start takes seconds where the machine is busy. */
const limitMs = 120_000 + 8_000 * (kills + partitions)

async function openOrigin(dataDirectory: string, port: number): Promise<ServiceProcess> {
  return await startService({
    dataDirectory,
    environment: { PORT: String(port), LOG_LEVEL: 'error' },
  })
}

async function createZone(url: string): Promise<void> {
  const init = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
  expect((await fetch(`${url}/api/core/zones`, init)).status).toBe(201)
}

async function requestCount(url: string): Promise<number> {
  const response = await fetch(`${url}/api/insights/summary?days=2`, { headers: access })
  return ((await response.json()) as { TotalRequests: number }).TotalRequests
}

test(
  'origin and edges are killed at random under load: no edge goes back, nothing is half visible, nothing is lost',
  async () => {
    await using directory = await temporaryDirectory()
    const random = createRandom(20_261_122)
    const port = await freePort()
    const dataDirectory = join(directory.path, 'origin')
    let origin = await openOrigin(dataDirectory, port)
    await createZone(origin.url)
    const token = await edgeTokenOf(origin.url)
    const edgeIn = (name: string): Promise<EdgeProcess> =>
      startEdge({ origin: origin.url, token, name, directory: join(directory.path, name) })
    const edges = [await edgeIn('one'), await edgeIn('two')]
    await using load = openPublishingLoad(() => origin.url)
    const watches = edges.map(({ name }, place) =>
      watchEdge(() => edges[place]?.url ?? '', { load, name }),
    )

    for (let kill = 0; kill < kills; kill += 1) {
      await wait(300 + random.next() * 700)
      const place = random.integer(0, 2)
      if (place === 2) {
        await origin.kill()
        origin = await openOrigin(dataDirectory, port)
      } else {
        await edges[place]?.kill()
        edges[place] = await edgeIn(place === 0 ? 'one' : 'two')
      }
    }
    await wait(500)
    await load.stop()
    for (const edge of edges)
      await until(async () => await load.isNewestAt(edge.url), `${edge.name} does not catch up`)
    const seen = await Promise.all(watches.map((watch) => watch.stop()))
    for (const edge of edges) await edge.stop()
    await origin.stop()

    expect(seen.flatMap(({ faults }) => faults)).toEqual([])
    expect(load.faults).toEqual([])
    expect(load.published).toBeGreaterThan(kills)
    for (const { responses } of seen) expect(responses).toBeGreaterThan(kills)
  },
  limitMs,
)

test(
  'an edge that is cut off in every way goes on serving, catches up, and counts everything once',
  async () => {
    await using directory = await temporaryDirectory()
    const random = createRandom(7)
    await using origin = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { LOG_LEVEL: 'error' },
    })
    await createZone(origin.url)
    const token = await edgeTokenOf(origin.url)
    await using proxy = await openRoughProxy(origin.url)
    const edge = await startEdge({
      origin: proxy.url,
      token,
      name: 'far',
      directory: join(directory.path, 'far'),
    })
    await using load = openPublishingLoad(() => origin.url)
    const watch = watchEdge(() => edge.url, { load, name: 'far' })
    const weathers = [
      { kind: 'cut' },
      { kind: 'reset' },
      { kind: 'delay', ms: 50 },
      { kind: 'black hole' },
    ] as const
    for (let partition = 0; partition < partitions; partition += 1) {
      await wait(200 + random.next() * 300)
      const weather = weathers[partition % weathers.length] ?? weathers[0]
      const before = watch.responses()
      proxy.set(weather)
      // Each file is new all the time here, so a response may take several ways there and back.
      await until(() => watch.responses() > before + 3, `nothing is served while ${weather.kind}`)
      proxy.set({ kind: 'clear' })
      // What was asked for in the dark is lost; what follows must come by itself.
      proxy.set({ kind: 'reset' })
      proxy.set({ kind: 'clear' })
    }
    await load.stop()
    await until(async () => await load.isNewestAt(edge.url), 'the edge does not catch up')
    const seen = await watch.stop()
    const counted = seen.responses + load.asked
    expect(await edge.stop()).toBe(0)

    expect(seen.faults).toEqual([])
    expect(load.faults).toEqual([])
    expect(await requestCount(origin.url)).toBe(counted)
  },
  limitMs,
)

test(
  'without the origin an edge serves what it has, says so when asked closely, and starts again with it',
  async () => {
    await using directory = await temporaryDirectory()
    const port = await freePort()
    const dataDirectory = join(directory.path, 'origin')
    let origin = await openOrigin(dataDirectory, port)
    await createZone(origin.url)
    const file = async (name: string, body: string) => {
      const init = { method: 'PUT', headers: access, body }
      const url = `${origin.url}/api/storage/clients/acme/v1/texts/${name}`
      expect((await fetch(url, init)).status).toBe(201)
    }
    await file('asked.txt', 'asked for before')
    await file('never.txt', 'never asked for')
    const token = await edgeTokenOf(origin.url)
    const settings = { token, name: 'far', directory: join(directory.path, 'far') }
    const first = await startEdge({ ...settings, origin: origin.url })
    const at = (edge: EdgeProcess, name: string) => fetch(`${edge.url}/acme/v1/texts/${name}`)
    expect((await at(first, 'asked.txt')).status).toBe(200)
    const originUrl = origin.url
    await origin.kill()

    expect((await at(first, 'asked.txt')).status).toBe(200)
    expect((await at(first, 'never.txt')).status).toBe(503)
    expect((await fetch(`${first.url}/api/health`)).status).toBe(200)
    expect((await fetch(`${first.url}/api/health?deep=1`)).status).toBe(503)
    await first.kill()
    const second = await startEdge({ ...settings, origin: originUrl })
    const kept = await at(second, 'asked.txt')
    expect([kept.status, await kept.text()]).toEqual([200, 'asked for before'])
    expect((await at(second, 'missing.txt')).status).toBe(404)

    origin = await openOrigin(dataDirectory, port)
    await file('asked.txt', 'newer')
    await until(async () => (await (await at(second, 'asked.txt')).text()) === 'newer')
    expect((await at(second, 'never.txt')).status).toBe(200)
    expect(await second.stop()).toBe(0)
    await origin.stop()
  },
  limitMs,
)
