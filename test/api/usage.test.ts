import { expect, test } from 'bun:test'

import {
  delta,
  done,
  startModelServer,
  streamed,
} from '../../src/adapters/openai/fixtures/model-server.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { openSeeing, put, svgOf, untilSeen } from '../support/seeing-service.ts'
import { access } from '../support/service-process.ts'
import { visionReplies } from '../support/vision-server.ts'

interface Usage {
  readonly Totals: Readonly<Record<string, number>>
  readonly Zones: readonly {
    readonly Zone: string
    readonly Totals: Readonly<Record<string, number>>
  }[]
}

const usageOf = async (service: InProcessService, query = ''): Promise<Usage> =>
  (await (await service.fetch(`/api/usage?days=2&${query}`, { headers: access })).json()) as Usage

const totalsOf = async (service: InProcessService, zone: string) =>
  (await usageOf(service, `zone=${zone}`)).Zones[0]?.Totals

test('what a model sees is a call of the zone, also when nothing comes of it, and is not asked twice', async () => {
  await using seeing = await openSeeing()
  const { service, requests } = seeing
  await service.createZone('bolt')
  await put(service, 'acme/v1/a.svg', svgOf('green'))
  await untilSeen(service, 'acme/v1/a.svg')
  await put(service, 'acme/v1/twin.svg', svgOf('green'))
  await untilSeen(service, 'acme/v1/twin.svg')
  expect(await totalsOf(service, 'acme')).toMatchObject({ VisionCalls: 1, AiCalls: 1 })

  seeing.saying(visionReplies.prose)
  await put(service, 'bolt/v1/b.svg', svgOf('blue'))
  await untilSeen(service, 'bolt/v1/b.svg')
  expect((await totalsOf(service, 'bolt'))?.['VisionCalls']).toBe(requests.length - 1)
  const { Totals } = await usageOf(service)
  expect(Totals).toMatchObject({ VisionCalls: requests.length, AiCalls: requests.length })
})

test('what the assistant asks a model is a call of no zone; what it answers itself is none', async () => {
  await using server = startModelServer(() => streamed([delta('Clone it [1].', 'stop'), done]))
  const ask = async (service: InProcessService) => {
    const response = await service.fetch('/api/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ message: 'How do I make a backup?' }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  await using service = await openInProcess({
    environment: { CHAT_BASE_URL: server.baseUrl, CHAT_MODEL: 'small' },
  })
  await ask(service)
  await ask(service)
  expect(server.requests).toHaveLength(2)
  const { Totals, Zones } = await usageOf(service)
  expect(Totals).toMatchObject({ ChatCalls: 2, AiCalls: 2, VisionCalls: 0 })
  expect(Zones.find(({ Zone }) => Zone === '')?.Totals).toMatchObject({ ChatCalls: 2 })

  await using alone = await openInProcess()
  await ask(alone)
  expect((await usageOf(alone)).Totals['AiCalls']).toBe(0)
})

test('files that move from a zone to another are stored there, and are no upload', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('bolt')
  await service.storage('PUT', 'acme/v1/a.bin', { body: new Uint8Array(70) })
  const moved = await service.fetch('/api/storage/move', {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify({ From: 'acme/v1/a.bin', To: 'bolt/v1/a.bin' }),
  })
  expect({ status: moved.status, text: await moved.text() }).toMatchObject({ status: 200 })

  expect(await totalsOf(service, 'acme')).toMatchObject({ StoredBytes: 0, Files: 0, Uploads: 1 })
  expect(await totalsOf(service, 'bolt')).toMatchObject({ StoredBytes: 70, Files: 1, Uploads: 0 })
  expect((await usageOf(service)).Totals).toMatchObject({ StoredBytes: 70, Uploads: 1 })
})

test('a query that makes no sense is refused, or moved into its bounds, and fails nothing', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const statusOf = async (query: string) =>
    (await service.fetch(`/api/usage?${query}`, { headers: access })).status
  const refused = [
    'month=2027-13',
    'month=0000-00',
    'month=2027-1',
    'month=-2027-01',
    `month=${'9'.repeat(5_000)}`,
    'from=2027-02-30',
    'from=2027-02-01T00:00:00Z',
    'from=0000-01-01',
    'to=2027-01-01',
    'to=x&from=2027-01-01',
    'from=9999-12-31&to=9999-12-31',
    'days=seven',
    'days=1e400',
    'page=NaN',
    'format=xml',
  ]
  for (const query of refused)
    expect({ query, status: await statusOf(query) }).toEqual({ query, status: 400 })
  const bounded = [
    'days=-1',
    'days=999999999',
    'page=0',
    'page=999999999999999999999',
    'per_page=0',
    'per_page=-5&days=397',
    'zone=%00',
    'zone=..%2F..',
    `zone=${'z'.repeat(5_000)}`,
    'zone=%27%20or%201%3D1--',
    'days=2&days=3',
    'unknown=1',
  ]
  for (const query of bounded) {
    const status = await statusOf(query)
    expect({ query, isTaken: status >= 200 && status < 500 }).toEqual({ query, isTaken: true })
  }
  expect((await usageOf(service, 'zone=%27%20or%201%3D1--')).Zones).toEqual([])
})
