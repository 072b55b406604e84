import { expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { storeAssets } from '../support/traffic-replay.ts'

const deadlineMs = 15_000

async function setUp() {
  const directory = await temporaryDirectory()
  const service = await startService({ dataDirectory: join(directory.path, 'data') })
  const call = async (path: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(deadlineMs)
    return await fetch(`${service.url}${path}`, { ...init, signal })
  }
  return {
    call,
    stored: () => storeAssets(service),
    stop: () => service.stop(),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** Reads events until one has `text` in it. */
async function eventWith(body: ReadableStream<Uint8Array> | null, text: string): Promise<string> {
  const decoder = new TextDecoder()
  let seen = ''
  for await (const chunk of body ?? []) {
    seen += decoder.decode(chunk, { stream: true })
    const found = seen.split('\n\n').find((event) => event.includes(text))
    if (found !== undefined) return found
  }
  throw new Error(`the stream ended without ${text}`)
}

test('a token for one zone learns of that zone’s traffic and of no other', async () => {
  await using world = await setUp()
  await world.stored()
  for (const zone of ['aka', 'akande', 'akande'])
    await (await world.call(`/${zone}/v1/icons/small.bin`)).arrayBuffer()
  await (await world.call('/akande/v1/icons/missing.svg')).text()
  const created = await world.call('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({
      name: 'aka reports',
      scopes: ['insights:read', 'analytics:read', 'logs:read'],
      zones: ['aka'],
    }),
  })
  const { token } = (await created.json()) as { token: string }
  const headers = { Authorization: `Bearer ${token}` }
  const text = async (path: string) => await (await world.call(path, { headers })).text()

  for (const path of [
    '/api/core/statistics?days=1',
    '/api/insights/summary?days=1',
    '/api/insights/top-assets?days=1',
    '/api/insights/geography?days=1',
    '/api/insights/errors?days=1',
    '/api/analytics?days=1',
    '/api/logs',
  ])
    for (const query of ['', `${path.includes('?') ? '&' : '?'}zone=aka`])
      expect({ path, leaks: (await text(path + query)).includes('akande') }).toEqual({
        path,
        leaks: false,
      })
  const requests = async (query: string) =>
    (JSON.parse(await text(`/api/insights/summary?${query}`)) as { TotalRequests: number })
      .TotalRequests
  expect(await requests('days=1')).toBe(1)
  expect(await requests('zone=aka')).toBe(1)
  expect(await requests('zone=akande')).toBe(0)
  const foreign = '/api/insights/asset?path=akande/v1/icons/small.bin'
  expect((await world.call(foreign, { headers })).status).toBe(404)
})

test('days and limits are clamped, other bad values are refused', async () => {
  await using world = await setUp()
  const days = async (query: string) => {
    const response = await world.call(`/api/insights/summary?${query}`, { headers: access })
    const body = (await response.json()) as { Period?: { Days: number } }
    return body.Period?.Days ?? response.status
  }
  expect(await days('')).toBe(7)
  expect(await days('days=0')).toBe(1)
  expect(await days('days=-5')).toBe(1)
  expect(await days('days=999999999999')).toBe(90)
  for (const bad of ['days=x', 'days=1.5', 'days=', 'days=1e3']) expect(await days(bad)).toBe(400)
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await world.call(path, { headers })).status
  expect(await statusOf('/api/insights/asset', access)).toBe(400)
  expect(await statusOf('/api/insights/asset?path=../x', access)).toBe(400)
  expect(await statusOf('/api/logs?level=loud', account)).toBe(400)
  expect(await statusOf('/api/logs', access)).toBe(403)
  expect(await statusOf('/api/core/statistics', access)).toBe(403)
  expect(await statusOf('/api/analytics', account)).toBe(403)
  expect(await statusOf('/api/analytics', {})).toBe(401)
})

test('a series is of the period that is asked for, and one that would be too long is refused', async () => {
  await using world = await setUp()
  await world.stored()
  await (await world.call('/aka/v1/icons/small.bin')).arrayBuffer()
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    await world.call(`/api/insights/series?${query}`, { headers: { ...access, ...headers } })
  const points = async (query: string) => {
    const response = await ask(query)
    const body = (await response.json()) as { Points?: unknown[]; Former?: unknown }
    return body.Points?.length ?? response.status
  }
  expect(await points('period=1h')).toBe(60)
  expect(await points('')).toBe(24)
  expect(await points('period=7d&step=day&timeZone=Europe/Berlin')).toBe(7)
  expect(await points('period=30d')).toBe(30)
  expect(await points('period=90d&timeZone=Pacific/Auckland')).toBe(90)
  const ago = (hours: number) =>
    encodeURIComponent(new Date(Date.now() - hours * 3_600_000).toISOString())
  expect(await points(`from=${ago(2)}&to=${ago(1)}`)).toBeGreaterThanOrEqual(60)
  for (const bad of [
    'period=8d',
    'period=24h&step=minute',
    'step=second',
    'timeZone=Mars/Olympus',
    `timeZone=${'x'.repeat(4_000)}`,
    'from=yesterday',
    `from=${ago(-1)}`,
    `from=${ago(1)}&to=${ago(2)}`,
    `from=${ago(24 * 100)}&to=${ago(24 * 99)}&step=minute`,
    'from=0000-01-01T00:00:00Z',
    'format=xml',
  ])
    expect({ bad, points: await points(bad) }).toEqual({ bad, points: 400 })
  for (const asked of [await ask('format=csv'), await ask('', { Accept: 'text/csv' })]) {
    expect(asked.headers.get('content-type')).toStartWith('text/csv')
    const lines = (await asked.text()).trim().split('\r\n')
    expect(lines[0]).toStartWith('From,Requests,Bytes,CacheHit')
    expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00.000Z,1,300,/u)
  }
})

test('reports can be of chosen days, and say where requests came from', async () => {
  await using world = await setUp()
  await world.stored()
  const headers = { Referer: 'https://shop.example/basket?user=ana', 'User-Agent': 'curl/8.5' }
  await (await world.call('/aka/v1/icons/small.bin', { headers })).arrayBuffer()
  const read = async (path: string, init = {}) =>
    await world.call(`/api/insights/${path}`, { headers: { ...access, ...init } })
  expect(await (await read('referrers')).json()).toMatchObject({
    Referrers: [{ Name: 'shop.example', Requests: 1, Bytes: 300 }],
    Others: { Requests: 0 },
  })
  expect(await (await read('agents?zone=aka')).json()).toMatchObject({
    Agents: [{ Name: 'curl', Requests: 1 }],
  })
  const today = new Date().toISOString().slice(0, 10)
  for (const report of ['referrers', 'agents', 'top-assets', 'geography', 'errors']) {
    const chosen = await (await read(`${report}?from=${today}`)).json()
    expect(chosen).toMatchObject({ Period: { Days: 1, From: today, To: today } })
    expect((await read(`${report}?from=2026-13-01`)).status).toBe(400)
    expect((await read(`${report}?from=2020-01-01`)).status).toBe(400)
    expect((await read(`${report}?from=2999-01-01`)).status).toBe(400)
    expect(await (await read(report, { Accept: 'text/csv' })).text()).toContain(',Requests')
  }
  const gone = await (await read('referrers?from=2026-01-01&to=2026-01-02')).json()
  expect(gone).toMatchObject({ Period: { Days: 2 }, Referrers: [] })
})

test('beacons are checked, limited by address, and told apart', async () => {
  await using world = await setUp()
  const beacon = async (body: string) =>
    await world.call('/api/analytics', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
  expect(await (await beacon('{}')).json()).toMatchObject({ ok: true, HttpCode: 200 })
  for (const bad of [
    '{"bytes":-1}',
    '{"bytes":1.5}',
    '{"bytes":1e300}',
    '{"country":"Germany"}',
    '{"cache":"STALE"}',
    '{"path":""}',
    '{"path":5}',
    'null',
    '[',
  ])
    expect({ bad, status: (await beacon(bad)).status }).toEqual({ bad, status: 400 })
  const statuses = new Set<number>()
  for (let each = 0; each < 130; each += 1) statuses.add((await beacon('{"bytes":10}')).status)
  expect(statuses).toEqual(new Set([200, 429]))

  const report = await world.call('/api/analytics?days=1', {
    headers: { 'x-api-key': testKeys.ANALYTICS_KEY },
  })
  const { data } = (await report.json()) as { data: { hits: number; beacons: { hits: number } }[] }
  expect(data[0]?.hits).toBe(0)
  expect(data[0]?.beacons.hits).toBeGreaterThan(100)
})

test('refusals are in the log and its tail, and no text in them forges a line', async () => {
  await using world = await setUp()
  const tail = await world.call('/api/logs?tail=true', { headers: account })
  expect(tail.headers.get('content-type')).toBe('text/event-stream')
  const path = encodeURIComponent('aka/v1/x\n\nevent: log\ndata: {"forged":true}')
  await world.call(`/api/assets/metadata?path=${path}`, { headers: access })

  const event = await eventWith(tail.body, 'getAssetMetadata')
  expect(event.split('\n')).toHaveLength(2)
  expect(event).toStartWith('event: log\ndata: {')
  const kept = await world.call('/api/logs?limit=1', { headers: account })
  expect(await kept.json()).toMatchObject({
    Count: 1,
    Entries: [{ level: 'info', code: 'InvalidParameter', operation: 'getAssetMetadata' }],
  })
})

test('who watches live sees each second by zone, and the service stops all the same', async () => {
  await using world = await setUp()
  await world.stored()
  const live = await world.call('/api/insights/live?zone=aka', { headers: access })
  await (await world.call('/akande/v1/icons/small.bin')).arrayBuffer()
  await (await world.call('/aka/v1/icons/small.bin')).arrayBuffer()

  const event = await eventWith(live.body, '"zone":"aka"')
  expect(JSON.parse(event.slice(event.indexOf('{')))).toMatchObject({
    requests: 1,
    bytes: 300,
    errors: 0,
    zones: [{ zone: 'aka' }],
  })
  const start = performance.now()
  expect(await world.stop()).toBe(0)
  expect(performance.now() - start).toBeLessThan(8_000)
})
