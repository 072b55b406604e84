import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 180_000
const withinMs = 1_000
const hostname = 'img.acme.example'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'

/** An asset at a site by its path, by what is made of it, and at its zone's own host name. */
async function statusesAt(site: string, name: string): Promise<readonly number[]> {
  const path = `acme/v1/logos/${name}.svg`
  const urls = [
    [`${site}/${path}`, {}],
    [`${site}/api/transform?url=/${path}&w=4&format=png`, {}],
    [`${site}/v1/logos/${name}.svg`, { Host: hostname }],
  ] as const
  return await Promise.all(
    urls.map(async ([url, headers]) => {
      const response = await fetch(url, { headers: { Connection: 'close', ...headers } })
      await response.body?.cancel()
      return response.status
    }),
  )
}

const allAt = async (sites: readonly string[], name: string): Promise<readonly number[]> =>
  (await Promise.all(sites.map((site) => statusesAt(site, name)))).flat()

async function showEverywhere(sites: readonly string[], name: string): Promise<void> {
  await until(
    async () => (await allAt(sites, name)).every((status) => status === 200),
    `${name} is not to be had everywhere`,
  )
}

/** Sets the end of an asset, as soon as somebody writes; answers the moment. */
async function expire(node: ClusterNode, name: string, afterMs: number): Promise<number> {
  let endsAtMs = 0
  await until(async () => {
    endsAtMs = Date.now() + afterMs
    const body = { Expires: new Date(endsAtMs).toISOString() }
    const described = worldOf(node).client.describeAsset({
      path: `acme/v1/logos/${name}.svg`,
      body,
    })
    return await described.then(
      () => true,
      () => false,
    )
  }, 'nobody writes')
  return endsAtMs
}

async function setUp() {
  await using opening = new AsyncDisposableStack()
  const receiver = opening.use(openWebhookReceiver())
  const cluster = opening.use(
    await startCluster({ nodeCount: 2, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } }),
  )
  const [first, second] = cluster.nodes
  if (first === undefined || second === undefined) throw new Error('few')
  const directory = opening.use(await temporaryDirectory())
  const world = worldOf(second)
  await world.zone('acme')
  for (const name of ['a', 'b', 'c']) await world.put(`acme/v1/logos/${name}.svg`, svg)
  await fetch(`${second.url}/api/core/zones/acme/domains`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Hostname: hostname }),
  })
  await world.client.createWebhook({ body: { url: receiver.url, events: ['asset.expired'] } })
  const edge = opening.use(
    await startEdge({
      origin: second.url,
      token: await edgeTokenOf(second.url),
      name: 'one',
      directory: join(directory.path, 'edge'),
    }),
  )
  const opened = opening.move()
  return {
    cluster,
    first,
    second,
    edge,
    receiver,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function killWriter(cluster: Cluster, { writer, heir }: Record<string, ClusterNode>) {
  if (writer === undefined || heir === undefined) throw new Error('few')
  expect(await cluster.writer()).toBe(writer)
  await cluster.kill(writer)
  return () => until(async () => (await cluster.writer()) === heir, 'nobody took over')
}

if (have('expiry in a cluster', postgres, s3Server)) {
  test(
    'what expires is gone at the writer, a standby, an edge of it and the own host within a second, whoever writes',
    async () => {
      await using house = await setUp()
      const { cluster, first, second, edge, receiver } = house
      const sites = [first.url, second.url, edge.url]
      for (const name of ['a', 'b', 'c']) await showEverywhere(sites, name)

      const endsAtMs = await expire(second, 'a', 6_000)
      await showEverywhere(sites, 'a')
      expect(Date.now()).toBeLessThan(endsAtMs)
      await Bun.sleep(endsAtMs + withinMs - Date.now())
      expect(await allAt(sites, 'a')).toEqual(Array.from({ length: 9 }, () => 410))
      await receiver.until(1)

      // The moment comes while nobody writes, and another one after somebody else does.
      const soonMs = await expire(second, 'b', 3_000)
      const tookOver = await killWriter(cluster, { writer: first, heir: second })
      await Bun.sleep(soonMs + withinMs - Date.now())
      expect(await statusesAt(edge.url, 'b')).toEqual([410, 410, 410])
      await tookOver()
      await until(async () => (await statusesAt(second.url, 'b')).every((each) => each === 410))
      await receiver.until(2, 30_000)
      const lastMs = await expire(second, 'c', 4_000)
      await Bun.sleep(lastMs + withinMs - Date.now())
      expect(await allAt([second.url, edge.url], 'c')).toEqual(Array.from({ length: 6 }, () => 410))
      await receiver.until(3)

      await cluster.start(first)
      for (const name of ['a', 'b', 'c'])
        expect(await statusesAt(first.url, name)).toEqual([410, 410, 410])
      expect(receiver.received.map(({ event, data }) => [event, data['path']])).toEqual(
        ['a', 'b', 'c'].map((name) => ['asset.expired', `clients/acme/v1/logos/${name}.svg`]),
      )
    },
    limitMs,
  )
}
