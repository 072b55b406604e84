import { expect, test } from 'bun:test'

import { have } from '../support/needs.ts'
import { startService, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { connectToEach, sharedPorts } from '../support/shared-port.ts'
import { worldOf } from '../support/world.ts'

const canRun = have('what the dashboard asks of edge workers', sharedPorts)

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/dashboard/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: testKeys.DASHBOARD_PASSWORD }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

test.skipIf(!canRun)(
  'what the dashboard asks of any process is counted apart, and what others say of themselves is not',
  async () => {
    await using directory = await temporaryDirectory()
    const environment = { EDGE_WORKERS: '2' }
    await using service = await startService({ dataDirectory: directory.path, environment })
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/icons/a.txt', 'a')
    const path = '/acme/v1/icons/a.txt'
    const Cookie = await signIn(service.url)
    expect(Cookie).toStartWith('cdn_session=')
    const connections = await connectToEach(service, 2)
    const before = await world.client.getStatuses({ days: 1 })
    const Referer = `${service.url}/dashboard/assets`
    for (const connection of connections.values())
      for (const headers of [
        { Cookie, Referer },
        { Cookie, Referer },
        { Cookie: 'cdn_session=s1.made.up', Referer },
        { Cookie },
        { Referer },
      ])
        expect((await connection.ask({ path, headers })).status).toBe(200)
    const after = await world.client.getStatuses({ days: 1 })
    const delivered = ({ Statuses }: typeof after) =>
      Statuses.find(({ StatusCode }) => StatusCode === 200)?.Requests ?? 0
    expect(after.LeftOut - before.LeftOut).toBe(2 * connections.size)
    expect(delivered(after) - delivered(before)).toBe(3 * connections.size)
    for (const connection of connections.values()) connection[Symbol.dispose]()
  },
)
