import { join } from 'node:path'

import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { connectToEach, sharedPorts } from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
const path = 'acme/v1/icons/white.png'

const image = async (width: number, height: number) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  )

async function seen(url: string): Promise<string | number> {
  const response = await fetch(url)
  const bytes = await response.bytes()
  if (!response.ok) return response.status
  const { width, height } = await sharp(bytes).metadata()
  return `${width}x${height}`
}

test(
  'workers, edges and edges behind them know the names of all and of each zone, and what is closed',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { EDGE_WORKERS: sharedPorts ? '2' : '0', IDLE_WORK: 'none' },
    })
    const world = worldOf(service)
    await world.zone('acme')
    await world.put(path, await image(100, 80))
    const token = await edgeTokenOf(service.url)
    await using near = await startEdge({
      origin: service.url,
      token,
      name: 'near',
      directory: join(directory.path, 'near'),
    })
    await using behind = await startEdge({
      origin: near.url,
      token,
      name: 'behind',
      directory: join(directory.path, 'behind'),
    })
    const urls = [service.url, near.url, behind.url]
    const everywhere = async (end: string, wanted: string | number) => {
      for (const url of urls) await until(async () => (await seen(`${url}${end}`)) === wanted)
    }

    await world.rules('_transforms', 'small w=20\nwide w=40\n')
    await everywhere(`/${path}/small.png`, '20x16')
    await everywhere(`/api/transform?url=/${path}&t=wide&format=png`, '40x32')
    await world.rules('_transforms', 'small w=10\n', 'acme')
    await everywhere(`/${path}/small.png`, '10x8')
    await everywhere(`/${path}/wide.png`, '40x32')

    await world.client.createPreview({ id: 'acme', body: { Name: 'spring' } })
    await everywhere(`/@~spring/${path}/small.png`, '10x8')
    await world.client.updateZone({ id: 'acme', body: { History: 'public' } })
    const commit = await world.zone('other')
    await world.put(path, await image(50, 50))
    await everywhere(`/${path}/small.png`, '10x10')
    await everywhere(`/@${commit}/${path}/small.png`, '10x8')

    await world.client.updateZone({ id: 'acme', body: { Transforms: 'named-only' } })
    await everywhere(`/api/transform?url=/${path}&w=33`, 403)
    await everywhere(`/${path}/small.png`, '10x10')
    await everywhere(`/api/transform?url=/${path}&w=50&format=png`, '50x50')
    await world.client.updateZone({ id: 'acme', body: { Transforms: 'signed' } })
    await everywhere(`/${path}/small.png`, 403)

    await world.client.updateZone({ id: 'acme', body: { Transforms: 'open' } })
    await world.rules('_transforms', '', 'acme')
    await everywhere(`/${path}/small.png`, '20x20')
    if (!sharedPorts) return
    for (const connection of (await connectToEach(service, 2)).values()) {
      const { status, headers } = await connection.ask({ path: `/${path}/small.png` })
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
    }
  },
  limitMs,
)
