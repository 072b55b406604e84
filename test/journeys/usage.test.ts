import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { createRandom, seedOf } from '../support/random.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { TrafficLedger } from '../support/traffic-ledger.ts'
import { storeAssets, visit } from '../support/traffic-replay.ts'
import { until } from '../support/until.ts'

const limitMs = 240_000

interface Usage {
  readonly Period: { readonly From: string; readonly To: string; readonly Days: number }
  readonly Totals: Readonly<Record<string, number>>
  readonly Zones: readonly {
    readonly Zone: string
    readonly Former: boolean
    readonly Totals: Readonly<Record<string, number>>
  }[]
  readonly Pagination: Readonly<Record<string, number>>
}

const json = { 'Content-Type': 'application/json' }

function usageOf({ url }: ServiceProcess) {
  const ask = async (query: string, headers: Record<string, string> = access) =>
    await fetch(`${url}/api/usage?days=2&${query}`, { headers })
  return {
    ask,
    read: async (query = '', headers = access as Record<string, string>) =>
      (await (await ask(query, headers)).json()) as Usage,
    async zone(name: string) {
      const { Zones: zones } = (await (await ask(`zone=${name}`)).json()) as Usage
      return zones[0]?.Totals
    },
  }
}

test(
  'what two nodes delivered is the sum of what their clients saw, to the byte',
  async () => {
    await using directory = await temporaryDirectory()
    const environment = { TRUSTED_PROXIES: '127.0.0.1' }
    const dataDirectory = join(directory.path, 'origin')
    await using service = await startService({ dataDirectory, environment })
    const [first, ...others] = await storeAssets(service)
    if (first === undefined) throw new Error('nothing was stored')
    const ledger = new TrafficLedger()
    const [seed, token] = [seedOf('usage'), await edgeTokenOf(service.url)]
    const edgeDirectory = join(directory.path, 'edge')
    {
      const options = { origin: service.url, token, name: 'north', directory: edgeDirectory }
      await using edge = await startEdge({ ...options, environment })
      for (const [place, url] of [service.url, edge.url].entries()) {
        const client = {
          url,
          assets: [first, ...others] as const,
          random: createRandom(seed + place),
        }
        for (let request = 0; request < 150; request += 1) ledger.note(await visit(client))
      }
      expect(await edge.stop()).toBe(0)
    }
    const { read } = usageOf(service)
    await until(async () => (await read()).Totals['Requests'] === ledger.all.requests)
    const { Totals: totals, Zones: zones } = await read()
    expect(totals['Bytes']).toBe(ledger.all.bytes)
    for (const { Zone: zone, Totals: sums } of zones)
      expect({ zone, requests: sums['Requests'], bytes: sums['Bytes'] }).toEqual({
        zone,
        requests: ledger.zone(zone).requests,
        bytes: ledger.zone(zone).bytes,
      })
  },
  limitMs,
)

test(
  'what is stored follows every write, survives a kill, and a new zone has nothing of the former',
  async () => {
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    let service = await startService({ dataDirectory })
    await using _ = { [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
    const call = async (method: string, path: string, init: RequestInit = {}) =>
      await fetch(`${service.url}/api/${path}`, { method, headers: access, ...init })
    const create = () =>
      call('POST', 'core/zones', { headers: account, body: JSON.stringify({ Name: 'acme' }) })
    const put = (path: string, sizeBytes: number) =>
      call('PUT', `storage/acme/v1/${path}`, { body: new Uint8Array(sizeBytes).fill(sizeBytes) })

    await create()
    await put('logos/a.bin', 100)
    await put('logos/a.bin', 70)
    await put('logos/b.bin', 30)
    await call('DELETE', 'storage/acme/v1/logos/a.bin')
    const patched = await call('PATCH', 'assets/metadata?path=acme/v1/logos/b.bin', {
      headers: { ...access, 'Content-Type': 'application/merge-patch+json' },
      body: '{"Title":"B"}',
    })
    expect(patched.status).toBe(200)
    const expected = { StoredBytes: 30, Files: 1, Uploads: 3, UploadedBytes: 200 }
    expect(await usageOf(service).zone('acme')).toMatchObject(expected)

    await service.kill()
    service = await startService({ dataDirectory })
    expect(await usageOf(service).zone('acme')).toMatchObject(expected)

    const deletion = await call('DELETE', 'core/zones/acme', { headers: account })
    expect(deletion.status).toBe(200)
    await create()
    await put('logos/c.bin', 5)
    const { Zones: zones, Totals: totals } = await usageOf(service).read()
    const shown = zones.map((each) => [each.Zone.replace(/\d+$/u, ''), each.Former, each.Totals])
    expect(shown).toMatchObject([
      ['acme', false, { StoredBytes: 5, Files: 1, Uploads: 1 }],
      ['acme~', true, { StoredBytes: 0, Files: 0, Uploads: 3, UploadedBytes: 200 }],
    ])
    expect(totals).toMatchObject({ StoredBytes: 5, Files: 1, Uploads: 4, UploadedBytes: 205 })
  },
  limitMs,
)

test(
  'a token of a zone sees its zone alone, in every form, and what is out of bounds is refused',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'data') })
    await storeAssets(service)
    const created = await fetch(`${service.url}/api/tokens`, {
      method: 'POST',
      headers: { ...account, ...json },
      body: JSON.stringify({ name: 'bill', scopes: ['insights:read'], zones: ['aka'] }),
    })
    const { token } = (await created.json()) as { token: string }
    const narrowed = { Authorization: `Bearer ${token}` }
    const { ask, read } = usageOf(service)

    for (const query of ['', 'zone=aka', 'format=csv', 'format=prometheus'])
      expect(await (await ask(query, narrowed)).text()).not.toContain('akande')
    const own = await read('', narrowed)
    expect(own.Zones.map(({ Zone: zone }) => zone)).toEqual(['aka'])
    expect(own.Totals['Files']).toBe(4)
    expect((await read('zone=akande', narrowed)).Totals['Files']).toBe(0)

    const table = await ask('format=csv&zone=aka')
    expect(table.headers.get('content-type')).toStartWith('text/csv')
    expect((await table.text()).split('\r\n')).toHaveLength(4)
    const metrics = await ask('format=prometheus')
    expect(metrics.headers.get('content-type')).toStartWith('text/plain')
    expect(await metrics.text()).toContain('sedge_usage_files{zone="aka"} 4\n')
    const page = await ask('per_page=1')
    expect(page.headers.get('link')).toBe('</api/usage?days=2&per_page=1&page=2>; rel="next"')
    expect(((await page.json()) as Usage).Pagination).toMatchObject({ PerPage: 1, TotalPages: 2 })
    expect((await ask('page=2&per_page=1')).headers.has('link')).toBe(false)

    for (const bad of ['month=2020-01', 'month=x', 'month=9999-12', 'from=1999-01-01', 'from=now'])
      expect({ bad, status: (await ask(bad)).status }).toEqual({ bad, status: 400 })
    expect((await fetch(`${service.url}/api/billing/usage`)).status).toBe(401)
  },
  limitMs,
)
