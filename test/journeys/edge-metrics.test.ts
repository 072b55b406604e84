import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { freePorts } from '../support/free-port.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const limitMs = 90_000

/** The value of each line, by name and labels as they are written. */
async function numbersAt(port: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )
}

test(
  'an edge says what it serves, how much of it from here, and how far behind it is',
  async () => {
    await using directory = await temporaryDirectory()
    const [metricsPort = 0] = freePorts(1)
    const service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
    await fetch(`${service.url}/api/core/zones`, zone)
    const put = {
      method: 'PUT',
      headers: access,
      body: crypto.getRandomValues(new Uint8Array(1_000)),
    }
    await fetch(`${service.url}/api/storage/acme/v1/a.bin`, put)
    const origin = service.url
    const environment = { METRICS_PORT: String(metricsPort) }
    const options = { origin, name: 'far', directory: join(directory.path, 'far'), environment }
    await using edge = await startEdge({ ...options, token: await edgeTokenOf(origin) })
    for (const path of ['a.bin', 'a.bin', 'nowhere.txt'])
      await (await fetch(`${edge.url}/acme/v1/${path}`)).arrayBuffer()
    await (await fetch(`${edge.url}/api/health`)).arrayBuffer()
    await (await fetch(`${edge.url}/api/core/zones`)).arrayBuffer()
    const deliveredBytes = async () =>
      (await numbersAt(metricsPort)).get('sedge_delivered_bytes_total') ?? 0
    await until(async () => (await deliveredBytes()) >= 2_000)

    const numbers = await numbersAt(metricsPort)
    const expected = {
      sedge_edge_connected: 1,
      sedge_edge_feed_lag_entries: 0,
      sedge_edge_blob_bytes: 1_000,
      'sedge_edge_answers_total{route="asset",status="200"}': 2,
      'sedge_edge_answers_total{route="asset",status="404"}': 1,
      'sedge_edge_answers_total{route="api",status="200"}': 1,
      'sedge_edge_answers_total{route="origin",status="401"}': 1,
      'sedge_edge_fills_total{result="fetched"}': 1,
      'sedge_deliveries_total{cache="HIT"}': expect.any(Number),
    }
    expect(Object.fromEntries(numbers)).toMatchObject(expected)
    expect(numbers.get('sedge_edge_feed_seq')).toBeGreaterThan(0)
    const page = await Bun.file(join(import.meta.dir, '../../docs/edges.md')).text()
    const names = [...numbers.keys()].map((key) =>
      key.replace(/(?:_(?:bucket|sum|count))?(?:\{.*)?$/u, ''),
    )
    for (const name of new Set(names)) expect(page).toContain(`\`${name}\``)

    await service.kill()
    await until(async () => (await numbersAt(metricsPort)).get('sedge_edge_connected') === 0)
    await until(
      async () => ((await numbersAt(metricsPort)).get('sedge_edge_feed_lag_seconds') ?? 0) > 2,
    )
    const nothing = await fetch(`http://127.0.0.1:${metricsPort}/acme/v1/a.bin`)
    expect(nothing.status).toBe(404)
  },
  limitMs,
)
