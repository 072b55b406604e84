import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { killsOf } from '../support/kills.ts'
import { createRandom, type Random, seedOf } from '../support/random.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { openWebhookReceiver, type Received, verify } from '../support/webhook-receiver.ts'

const cycles = killsOf(8)
const clientCount = 4
const startMs = 20_000
const requestMs = 10_000
const catchUpMs = 60_000
const zone = 'told'

/** What one client wrote, in order; every path once, so that each has exactly one event. */
interface Client {
  readonly name: string
  readonly random: Random
  readonly acknowledged: string[]
  count: number
}

const send = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(requestMs) })

async function write(client: Client, url: string): Promise<void> {
  const paths = Array.from({ length: client.random.pick([1, 1, 1, 5]) }, () => {
    client.count += 1
    return `${zone}/v1/${client.name}/${String(client.count).padStart(6, '0')}.txt`
  })
  const [only = ''] = paths
  const response =
    paths.length === 1
      ? await send(`${url}/api/storage/${only}`, { method: 'PUT', headers: access, body: only })
      : await send(`${url}/api/storage/batch`, {
          method: 'POST',
          headers: access,
          body: JSON.stringify({
            files: paths.map((path) => ({ path, content: Buffer.from(path).toString('base64') })),
          }),
        })
  await response.arrayBuffer()
  if (response.ok) client.acknowledged.push(...paths)
  else throw new Error(`a write was answered ${response.status}`)
}

const firstWriteMs = 5_000

const acknowledgedBy = (clients: readonly Client[]): number =>
  clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

/** Works until the service is gone. */
async function work(client: Client, url: string): Promise<void> {
  for (;;)
    try {
      await write(client, url)
    } catch {
      return
    }
}

async function prepare(url: string, hook: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers: account, body: JSON.stringify(body) }
    return (await send(`${url}${path}`, init)).json()
  }
  await post('/api/core/zones', { Name: zone })
  const { secret } = await post('/api/webhooks', { url: hook, events: ['asset.created'] })
  return String(secret)
}

const pathOf = ({ data }: Received): string => String(data['path']).replace(/^clients\//u, '')

async function storedPaths(url: string, { name }: Client): Promise<readonly string[]> {
  const listing: { ObjectName: string }[] = await (
    await send(`${url}/api/storage/${zone}/v1/${name}/`, { headers: access })
  ).json()
  return listing.map(({ ObjectName }) => `${zone}/v1/${name}/${ObjectName}`)
}

/** What is wrong with what came, given what was written. */
function faultsOf(received: readonly Received[], stored: readonly string[]): readonly string[] {
  const byPath = Map.groupBy(received, pathOf)
  const faults: string[] = []
  for (const path of stored) {
    const ids = new Set(byPath.get(path)?.map(({ id }) => id))
    if (ids.size === 0) faults.push(`${path}: lost`)
    if (ids.size > 1) faults.push(`${path}: sent under ${ids.size} ids`)
    byPath.delete(path)
  }
  for (const path of byPath.keys()) faults.push(`${path}: nobody wrote it`)
  return faults
}

const firstArrivals = (received: readonly Received[], { name }: Client): readonly string[] => [
  ...new Set(received.map(pathOf).filter((path) => path.startsWith(`${zone}/v1/${name}/`))),
]

test(
  `${cycles} kills while events flow lose none, and what is sent twice keeps its id`,
  async () => {
    const random = createRandom(seedOf('webhook kill loop'))
    await using directory = await temporaryDirectory()
    using receiver = openWebhookReceiver()
    receiver.respond = async () => {
      // So that kills hit between the sending and the recording, too.
      await Bun.sleep(random.integer(0, 3))
      return new Response('ok')
    }
    const clients = Array.from({ length: clientCount }, (_, index): Client => ({
      name: `client-${index}`,
      random: createRandom(random.integer(0, 2 ** 31)),
      acknowledged: [],
      count: 0,
    }))
    const start = () =>
      startService({
        dataDirectory: join(directory.path, 'data'),
        environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
      })
    let secret = ''
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await start()
      if (cycle === 0) secret = await prepare(service.url, receiver.url)
      const before = acknowledgedBy(clients)
      const working = clients.map((client) => work(client, service.url))
      // A slow machine may need longer than that for its first write, and a kill is to hit among writes.
      const patience = Date.now() + firstWriteMs
      while (acknowledgedBy(clients) === before && Date.now() < patience) await Bun.sleep(5)
      await Bun.sleep(random.integer(50, 500))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await start()
    const stored = (
      await Promise.all(clients.map((client) => storedPaths(service.url, client)))
    ).flat()
    const deadline = Date.now() + catchUpMs
    while (faultsOf(receiver.received, stored).length > 0 && Date.now() < deadline)
      await Bun.sleep(100)

    const acknowledged = clients.flatMap((each) => each.acknowledged)
    expect(faultsOf(receiver.received, stored)).toEqual([])
    expect(acknowledged.filter((path) => !stored.includes(path))).toEqual([])
    for (const client of clients) {
      const arrivals = firstArrivals(receiver.received, client)
      expect(arrivals).toEqual(arrivals.toSorted())
    }
    for (const message of receiver.received.slice(-100))
      expect(verify(message, secret)).toBeTruthy()
    const ids = new Set(receiver.received.map(({ id }) => id))
    console.log(
      `${cycles} kills, ${acknowledged.length} acknowledged writes, ${ids.size} events, none lost, ${receiver.received.length - ids.size} sent twice`,
    )
    expect(acknowledged.length).toBeGreaterThan(0)
  },
  cycles * startMs + catchUpMs + 60_000,
)
