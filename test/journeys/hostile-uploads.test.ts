import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
const draft = { 'Upload-Complete': '?0', 'Content-Length': '0' }
const perZone = 300
const perNetwork = 100
const openedAndLeft = 10_000
const atOnce = 100

const undo = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: {
        UPLOADS_PER_ZONE: String(perZone),
        UPLOADS_PER_NETWORK: String(perNetwork),
        SEARCH_BY_NAME_ONLY: 'true',
      },
    }),
  )
  const world = worldOf(service)
  for (const zone of ['acme', 'bolt', 'core']) await world.zone(zone)
}, limitMs)
afterAll(() => undo.disposeAsync())

const asked = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { ...init, method })

async function begin(path: string, headers: Record<string, string> = access): Promise<string> {
  const response = await asked('POST', `/api/uploads?path=${path}`, {
    headers: { ...headers, ...draft },
  })
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

async function tokenFor(zone: string): Promise<Record<string, string>> {
  const response = await asked('POST', '/api/tokens', {
    headers: account,
    body: JSON.stringify({ name: zone, scopes: ['storage:write'], zones: [zone] }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return { Authorization: `Bearer ${token}` }
}

test(
  'an upload into a zone that a token does not reach looks like one that is not there, by either protocol',
  async () => {
    const url = await begin('acme/v1/titles/own.txt')
    const stranger = await tokenFor('bolt')
    const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }
    const piece = { 'Content-Type': 'application/partial-upload', 'Upload-Complete': '?1' }
    const headersByBase = { '/api/uploads/staged': piece, '/api/uploads/tus': tus }
    for (const [base, headers] of Object.entries(headersByBase))
      for (const method of ['HEAD', 'GET', 'PATCH', 'DELETE']) {
        const of = async (id: string) => {
          const response = await asked(method, `${base}/${id}`, {
            headers: { ...headers, ...stranger, 'Upload-Offset': '0' },
            ...(method === 'PATCH' && { body: 'abc' }),
          })
          const text = await response.text()
          const offset = response.headers.get('upload-offset')
          const told = text.replaceAll(/"(?:requestId|timestamp)":"[^"]*"/gu, '')
          return { status: response.status, offset, told }
        }
        const foreign = await of(url.split('/').at(-1) ?? '')
        expect(foreign).toMatchObject({ status: 404, offset: null })
        expect(foreign).toEqual(await of('00000000-0000-4000-8000-000000000000'))
      }
    const own = await asked('HEAD', url, { headers: await tokenFor('acme') })
    expect([own.status, own.headers.get('upload-offset')]).toEqual([200, '0'])
  },
  limitMs,
)

test(
  'two writers at one offset never mix what they write',
  async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const path = `acme/v1/titles/turn-${turn}.txt`
      const url = await begin(path)
      const write = (letter: string) =>
        asked('PATCH', url, {
          headers: {
            ...access,
            'Upload-Offset': '0',
            'Upload-Complete': '?1',
            'Content-Type': 'application/partial-upload',
          },
          body: letter.repeat(100_000),
        })
      const [a, b] = await Promise.all([write('a'), write('b')])
      const statuses = [a.status, b.status]
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(1)
      for (const status of statuses) expect([201, 400, 409]).toContain(status)
      if (!statuses.includes(201)) continue
      const stored = await (await asked('GET', `/api/storage/${path}`, { headers: access })).text()
      expect(['a', 'b'].map((letter) => letter.repeat(100_000))).toContain(stored)
    }
  },
  limitMs,
)

test(
  'ten thousand uploads that are opened and left take no more than their zone may have, and pass',
  async () => {
    const counts = new Map<number, number>()
    const open = async (index: number) => {
      const response = await service.fetch(
        new Request(`${service.url}/api/uploads?path=bolt/v1/titles/${index}.txt`, {
          method: 'POST',
          headers: { ...access, ...draft },
        }),
        `198.51.100.${index % 200}`,
      )
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
    }
    for (let begun = 0; begun < openedAndLeft; begun += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, index) => open(begun + index)))
    expect(Object.fromEntries(counts)).toEqual({ 201: perZone, 409: openedAndLeft - perZone })

    // Nobody else is kept from anything.
    await begin('core/v1/titles/other.txt')
    const put = { headers: access, body: 'stored' }
    expect((await asked('PUT', '/api/storage/bolt/v1/titles/put.txt', put)).status).toBe(201)

    service.wait(25 * 3_600_000)
    await until(async () => (await begin('bolt/v1/titles/later.txt')) !== '')
  },
  limitMs,
)
