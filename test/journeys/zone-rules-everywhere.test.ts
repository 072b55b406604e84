import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { connectToEach, sharedPorts } from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
const path = 'acme/v1/logos/a.svg'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

async function seen(url: string, name: string): Promise<string | null> {
  const response = await fetch(url, { redirect: 'manual' })
  await response.body?.cancel()
  return response.headers.get(name)
}

test(
  'workers and edges apply rules and defaults of a zone, to commits and previews too',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { EDGE_WORKERS: sharedPorts ? '2' : '0', IDLE_WORK: 'none' },
    })
    const world = worldOf(service)
    for (const zone of ['acme', 'globex']) await world.zone(zone)
    await world.put(path, svg)
    await world.put('globex/v1/logos/a.svg', svg)
    await using edge = await startEdge({
      origin: service.url,
      token: await edgeTokenOf(service.url),
      name: 'near',
      directory: join(directory.path, 'near'),
    })
    const everywhere = async (end: string, name: string, wanted: string | null) => {
      for (const url of [service.url, edge.url])
        await until(async () => (await seen(`${url}${end}`, name)) === wanted)
    }

    await world.rules('_headers', '/v1/*\n  X-Own: 1\n', 'acme')
    await world.rules('_redirects', '/v1/old/* /v1/logos/:splat 301\n', 'acme')
    await everywhere(`/${path}`, 'x-own', '1')
    await everywhere('/acme/v1/old/a.svg', 'location', `/${path}`)
    await everywhere('/globex/v1/logos/a.svg', 'x-own', null)

    await world.client.createPreview({ id: 'acme', body: { Name: 'spring' } })
    await world.client.updateZone({ id: 'acme', body: { History: 'public', CacheLifetime: 900 } })
    const commit = await world.zone('initech')
    await everywhere(`/@~spring/${path}`, 'x-own', '1')
    await everywhere('/@~spring/acme/v1/old/a.svg', 'location', `/@~spring/${path}`)
    await everywhere(`/@${commit}/${path}`, 'x-own', '1')
    const lifetime = 'public, max-age=900, stale-while-revalidate=600'
    await everywhere(`/${path}`, 'cache-control', lifetime)
    if (sharedPorts)
      for (const connection of (await connectToEach(service, 2)).values()) {
        const { headers } = await connection.ask({ path: `/${path}` })
        expect([headers.get('x-own'), headers.get('cache-control')]).toEqual(['1', lifetime])
      }

    await world.rules('_headers', '', 'acme')
    await everywhere(`/${path}`, 'x-own', null)
  },
  limitMs,
)
