import { expect, test } from 'bun:test'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

import { have } from '../support/needs.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import {
  type Connection,
  connectToEach,
  openConnection,
  type RawRequest,
  sharedPorts,
  hasEnded,
  isReaped,
  workersOf,
} from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const canRun = have('edge workers', sharedPorts)
const limitMs = 60_000
/** Within this, what was answered has reached every process. */
const everywhereWithinMs = 1_000
const encoder = new TextEncoder()

async function openService(workers: number, dataDirectory: string): Promise<ServiceProcess> {
  return await startService({
    dataDirectory,
    environment: { EDGE_WORKERS: String(workers), LOG_LEVEL: 'error' },
  })
}

/** Asks each process until all respond as `isNew` wants; how long after `start` that was. */
async function seenEverywhere(
  connections: Iterable<Connection>,
  path: string,
  isNew: (status: number, body: string, cacheStatus: string) => boolean,
): Promise<number> {
  const start = performance.now()
  await Promise.all(
    [...connections].map(async (connection) => {
      for (;;) {
        const { status, body, headers } = await connection.ask({ path })
        if (isNew(status, body.toString(), headers.get('cache-status') ?? '')) return
        if (performance.now() - start > 5 * everywhereWithinMs)
          throw new Error(`still ${status} ${body.toString()}`)
      }
    }),
  )
  return performance.now() - start
}

test.skipIf(!canRun)(
  'every process delivers, and each sees overwrites, flags, purges and removals within a second',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await openService(2, directory.path)
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/a.txt', 'first')
    const connections = await connectToEach(service, 2)
    const each = [...connections.values()]
    const path = '/acme/v1/a.txt'
    expect(connections.size).toBe(3)
    const delays: Record<string, number> = {}

    delays['creation'] = await seenEverywhere(each, path, (_, body) => body === 'first')
    await world.put('acme/v1/a.txt', 'second')
    delays['overwrite'] = await seenEverywhere(each, path, (_, body) => body === 'second')
    await world.client.updateZone({ id: 'acme', body: { Suspended: true } })
    delays['suspension'] = await seenEverywhere(each, path, (status) => status === 403)
    await world.client.updateZone({ id: 'acme', body: { Suspended: false } })
    delays['its end'] = await seenEverywhere(each, path, (status) => status === 200)
    await seenEverywhere(each, path, (_status, _body, cache) => cache.includes('hit'))
    const purged = await fetch(`${service.url}/api/purge`, {
      method: 'POST',
      headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ urls: [path] }),
    })
    expect(purged.status).toBe(200)
    delays['purge'] = await seenEverywhere(each, path, (_status, _body, cache) =>
      cache.includes('miss'),
    )
    await world.client.deleteZone({ id: 'acme' })
    delays['removal'] = await seenEverywhere(each, path, (status) => status === 404)

    console.log(
      Object.entries(delays)
        .map(([what, ms]) => `${what} seen everywhere after ${ms.toFixed(0)} ms`)
        .join(', '),
    )
    expect(Math.max(...Object.values(delays))).toBeLessThan(everywhereWithinMs)
    for (const connection of each) connection[Symbol.dispose]()
  },
  limitMs,
)

test.skipIf(!canRun)(
  'a worker that is killed under load is replaced, and no health check after its end fails',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await openService(2, directory.path)
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/a.txt', 'first')
    for (const connection of (await connectToEach(service, 2)).values())
      connection[Symbol.dispose]()
    const load = { isOn: true, responses: 0 }
    const loading = Array.from({ length: 8 }, () => askForEver(service, load))
    const before = await workersOf(service.pid)
    const [victim] = before
    if (victim === undefined) throw new Error('there is no worker')
    await wait(300)
    process.kill(victim, 'SIGKILL')
    await until(() => isReaped(victim))

    const failures: unknown[] = []
    let checks = 0
    const isReplaced = async () => (await workersOf(service.pid)).length === before.length
    const checkUntil = performance.now() + 3_000
    while (performance.now() < checkUntil || !(await isReplaced())) {
      checks += 1
      const status = await healthCheck(service).catch((error: unknown) => error)
      if (status !== 200) failures.push(status)
      if (performance.now() > checkUntil + 20_000) throw new Error('the worker is not replaced')
    }
    load.isOn = false
    await Promise.all(loading)

    expect(failures).toEqual([])
    expect(checks).toBeGreaterThan(20)
    expect(load.responses).toBeGreaterThan(0)
    const now = await connectToEach(service, 2)
    expect(now.has(victim)).toBe(false)
    for (const connection of now.values()) connection[Symbol.dispose]()
  },
  limitMs,
)

/** A connection of its own, as load balancers do. */
async function healthCheck({ url }: ServiceProcess): Promise<number> {
  using connection = await openConnection(Number(new URL(url).port))
  return (await connection.ask({ path: '/api/health' })).status
}

async function askForEver(
  { url }: ServiceProcess,
  load: { isOn: boolean; responses: number },
): Promise<void> {
  while (load.isOn)
    try {
      const response = await fetch(`${url}/acme/v1/a.txt`, { signal: AbortSignal.timeout(10_000) })
      await response.arrayBuffer()
      load.responses += 1
    } catch {
      // What was in flight at the killed process is lost.
    }
}

async function countedRequests({ url }: ServiceProcess): Promise<number> {
  const response = await fetch(`${url}/api/insights/summary?days=2`, { headers: access })
  const { TotalRequests: total } = (await response.json()) as { TotalRequests: number }
  return total
}

test.skipIf(!canRun)(
  'what workers deliver is counted exactly, at once in reports and after a clean stop',
  async () => {
    await using directory = await temporaryDirectory()
    const first = await openService(2, directory.path)
    await worldOf(first).zone('acme')
    await worldOf(first).put('acme/v1/a.txt', 'first')
    const connections = [...(await connectToEach(first, 2)).values()]
    const before = await countedRequests(first)
    const ask = async (times: number) => {
      for (const connection of connections)
        for (let time = 0; time < times; time += 1) {
          await connection.ask({ path: '/acme/v1/a.txt' })
          await connection.ask({ path: '/acme/v1/none.txt' })
        }
    }

    await ask(20)
    expect((await countedRequests(first)) - before).toBe(120)
    await ask(30)
    expect(await first.stop()).toBe(0)
    await using second = await openService(0, directory.path)
    expect((await countedRequests(second)) - before).toBe(300)
  },
  limitMs,
)

test.skipIf(!canRun)(
  'writes pass through every process as they are: large, too large, with the client’s own address',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await openService(1, directory.path)
    const world = worldOf(service)
    await world.zone('acme')
    const connections = await connectToEach(service, 1)
    const largest = new Uint8Array(25 * 2 ** 20)
    crypto.getRandomValues(largest.subarray(0, 65_536))
    for (const [pid, connection] of connections) {
      const headers = {
        ...access,
        'X-Forwarded-For': '203.0.113.7',
        'X-Sedge-Handed-Over': '{"peerAddress":"203.0.113.7","scheme":"http","absent":[]}',
        'User-Agent': 'a client',
      }
      const path = `/api/storage/acme/v1/film-${pid}.mp4`
      const kept = await connection.ask({ method: 'PUT', path, headers, body: largest })
      expect([kept.status, kept.body.toString()]).toEqual([201, expect.any(String)])
      const read = await fetch(`${service.url}/acme/v1/film-${pid}.mp4`)
      expect(Buffer.from(await read.arrayBuffer()).equals(largest)).toBe(true)
      const refused = await connection.ask({
        method: 'PUT',
        path: `/api/storage/acme/v1/more-${pid}.mp4`,
        headers: { ...headers, 'Content-Length': String(largest.length + 1) },
      })
      expect(refused.status).toBe(413)
    }
    const { Entries: entries } = (await world.client.listAuditLogs({ limit: 50 })) as {
      Entries: readonly { ip: string; userAgent: string; target: string }[]
    }
    const uploads = entries.filter(({ target }) => target.includes('film-'))
    expect(uploads.map(({ ip, userAgent }) => [ip, userAgent])).toEqual(
      Array.from(connections, () => ['127.0.0.1', 'a client']),
    )
    for (const connection of connections.values()) connection[Symbol.dispose]()
  },
  limitMs,
)

/** What differs between two responses that are the same. */
const ownToAnswer = new Set(['date', 'x-request-id', 'server-timing', 'cache-status', 'connection'])

async function shapeOf(connection: Connection, request: RawRequest) {
  const { status, headers, body } = await connection.ask(request)
  // Another moment in a text is compressed to another length.
  const isCoded = headers.has('content-encoding')
  const fields = [...headers].filter(
    ([name]) =>
      !ownToAnswer.has(name) &&
      !name.startsWith('ratelimit') &&
      !(isCoded && name === 'content-length'),
  )
  const decoded = headers.get('content-encoding') === 'gzip' ? gunzipSync(body) : body
  const text = Buffer.from(decoded)
    .toString()
    .replaceAll(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '(its own)')
  return { status, fields: Object.fromEntries(fields), text }
}

test.skipIf(!canRun)(
  'whichever process takes a request, the response is the same',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await openService(1, directory.path)
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/a.txt', 'first '.repeat(1000))
    await world.put('acme/v1/icons/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const Content = '/acme/v1/icons/*\n  X-Sanitize: svg'
    await world.rules('_headers', Content)
    const connections = await connectToEach(service, 1)
    const [main, worker] = [
      connections.get(service.pid),
      [...connections].find(([pid]) => pid !== service.pid)?.[1],
    ]
    if (main === undefined || worker === undefined) throw new Error('a process is missing')
    const json = { ...account }
    const requests: readonly RawRequest[] = [
      { path: '/acme/v1/a.txt' },
      { path: '/acme/v1/a.txt', headers: { Range: 'bytes=-5' } },
      { path: '/acme/v1/a.txt', headers: { 'If-None-Match': '*' } },
      { path: '/acme/v1/none.txt' },
      { path: '/acme/v1/%2e%2e/%2e%2e/api/none' },
      { path: '/api' },
      { path: '/api/none?x=%20y' },
      { path: '/api/storage/acme/v1/a.txt', headers: access },
      { path: '/api/storage/acme/v1/a.txt', headers: { ...access, Range: 'bytes=0-3' } },
      { path: '/api/storage/acme/v1/a.txt' },
      { path: '/api/assets?project=acme', headers: { ...access, 'Accept-Encoding': 'gzip' } },
      { path: '/api/core/zones', headers: json },
      { path: '/api/core/zones', method: 'OPTIONS', headers: { Origin: 'https://a.example' } },
      { path: '/api/core/zones', method: 'POST', headers: json, body: encoder.encode('{"Name":') },
      { path: '/api/core/zones/none', method: 'DELETE', headers: json },
      { path: '/acme/v1/a.txt', method: 'POST', body: encoder.encode('x') },
      { path: '/watch' },
      { path: '/dashboard' },
      { path: '/', headers: { Host: 'bad host' } },
      { path: '/api/none', headers: { Host: 'a.example, b.example' } },
      { path: '/api/assets', headers: { Host: '[::1' } },
      { path: '/acme/v1/icons/a.svg' },
    ]
    for (const request of requests)
      expect([request, await shapeOf(worker, request)]).toEqual([
        request,
        await shapeOf(main, request),
      ])
    for (const connection of connections.values()) connection[Symbol.dispose]()
  },
  limitMs,
)

test.skipIf(!canRun)(
  'event streams reach clients of workers, event by event',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await openService(1, directory.path)
    const connections = await connectToEach(service, 1)
    const worker = [...connections].find(([pid]) => pid !== service.pid)?.[1]
    const events = await worker?.listen({ path: '/api/insights/live', headers: access }, /event: /u)

    expect(events).toContain('text/event-stream')
    for (const connection of connections.values()) connection[Symbol.dispose]()
  },
  limitMs,
)

test.skipIf(!canRun)(
  'told to end, workers finish what is in flight and end with the main process',
  async () => {
    await using directory = await temporaryDirectory()
    const service = await openService(2, directory.path)
    await worldOf(service).zone('acme')
    const connections = await connectToEach(service, 2)
    const workers = await workersOf(service.pid)
    const gate = Promise.withResolvers<void>()
    const slow = [...connections.keys()].map(async (pid) => {
      const response = await fetch(`${service.url}/api/storage/acme/v1/slow-${pid}.txt`, {
        method: 'PUT',
        headers: { ...access, Connection: 'close' },
        body: new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(encoder.encode('one '))
            await gate.promise
            controller.enqueue(encoder.encode('two'))
            controller.close()
          },
        }),
      })
      return response.status
    })
    await wait(500)
    const ended = service.stop()
    await wait(500)
    gate.resolve()

    expect(await Promise.all(slow)).toEqual([201, 201, 201])
    expect(await ended).toBe(0)
    expect(await Promise.all(workers.map((pid) => hasEnded(pid)))).toEqual([true, true])
  },
  limitMs,
)

test.skipIf(!canRun)(
  'workers do not outlive a main process that is killed',
  async () => {
    await using directory = await temporaryDirectory()
    const service = await openService(2, directory.path)
    for (const connection of (await connectToEach(service, 2)).values())
      connection[Symbol.dispose]()
    const workers = await workersOf(service.pid)
    await service.kill()

    for (const pid of workers) await until(() => hasEnded(pid))
  },
  limitMs,
)
