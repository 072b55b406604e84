import { expect, test } from 'bun:test'

import { have } from '../support/needs.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { type Connection, connectToEach, sharedPorts } from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const path = '/acme/v1/a.txt'
const quotasPath = '/api/core/zones/acme/quotas'

interface Shown {
  readonly Quotas: readonly { readonly Name: string; readonly Used: number }[]
}

test.skipIf(!have('quotas at edge workers', sharedPorts))(
  'what all processes deliver counts together, and each holds a zone to it and lets it go again',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: directory.path,
      environment: { EDGE_WORKERS: '2', LOG_LEVEL: 'error' },
    })
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/a.txt', 'text')
    const connections = [...(await connectToEach(service, 2)).values()]
    const quotas = async (init: RequestInit = {}) => {
      const response = await fetch(`${service.url}${quotasPath}`, { headers: account, ...init })
      expect(response.status).toBe(200)
      return (await response.json()) as Shown
    }
    const bound = (wanted: object) => quotas({ method: 'PUT', body: JSON.stringify(wanted) })
    const used = async () => (await quotas()).Quotas.find(({ Name }) => Name === 'requests')?.Used
    let delivered = 0
    const status = async (connection: Connection) => {
      delivered += 1
      return (await connection.ask({ path })).status
    }
    const everywhere = async (wanted: number) => {
      for (const each of connections) await until(async () => (await status(each)) === wanted)
    }

    await everywhere(200)
    for (let round = 0; round < 5; round += 1)
      for (const each of connections) expect(await status(each)).toBe(200)
    await until(async () => (await used()) === delivered, 'they do not add up')
    await bound({ Quotas: { requests: 1 }, WhenUsedUp: 'cut' })
    await everywhere(429)
    await bound({ Quotas: { requests: null } })
    await everywhere(200)
  },
  60_000,
)
