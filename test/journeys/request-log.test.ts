import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { SedgeError } from '../../src/client/client.ts'
import type { LogEntry } from '../../src/client/types.ts'
import {
  access,
  account,
  standbyName,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

/** A node that stands by delivers without lines. */
const isAlone = process.env[standbyName] === undefined

async function setUp(environment: Readonly<Record<string, string>> = {}) {
  const directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const service = await startService({ dataDirectory, environment })
  const world = worldOf(service)
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.url}${path}`, init)
    await response.arrayBuffer()
    return response
  }
  return {
    ...world,
    service,
    ask,
    dataDirectory,
    find: async (q: string, options: { limit?: number; cursor?: string } = {}) =>
      await world.client.listLogs({ q, limit: 500, ...options }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

const said = ({ status, method, path }: LogEntry): string => [status, method, path].join(' ')

test.skipIf(!isAlone)(
  'each request to delivery, API, S3 and git has a line that says what became of it',
  async () => {
    await using world = await setUp()
    await world.zone('acme')
    await world.put('acme/v1/icons/a.txt', 'hello')
    const browser = {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
      Referer: 'https://shop.example.org/cart?secret=1',
      Cookie: 'cdn_session=secret',
    }
    await world.ask('/acme/v1/icons/a.txt?token=secret', { headers: browser })
    await world.ask('/acme/v1/icons/a.txt', { headers: browser })
    await world.ask('/acme/v1/icons/missing.txt', { headers: browser })
    await world.ask('/api/assets?zone=acme', { headers: { AccessKey: 'secret' } })
    await world.ask('/git/acme.git/info/refs?service=git-upload-pack')

    const { Entries, Looked, NotKept } = await world.find('')
    expect(Looked).toMatchObject({ IsComplete: true })
    expect(NotKept).toBe(0)
    expect(Entries.map(said)).toEqual(
      expect.arrayContaining([
        '200 GET /acme/v1/icons/a.txt',
        '404 GET /acme/v1/icons/missing.txt',
        '401 GET /api/assets',
        '401 GET /git/acme.git/info/refs',
        '201 PUT /api/storage/acme/v1/icons/a.txt',
      ]),
    )
    expect(JSON.stringify(Entries)).not.toContain('secret')
    expect((await world.find('cache:hit path:/acme/v1/icons/a.txt')).Entries).toMatchObject([
      {
        level: 'info',
        status: 200,
        bytes: 5,
        zone: 'acme',
        asset: 'acme/v1/icons/a.txt',
        agent: 'Firefox',
        referrer: 'shop.example.org',
        network: '127.0.0.0/24',
        by: null,
      },
    ])
    const [missing] = (await world.find('code:AssetNotFound,NotFound zone:acme')).Entries
    expect(missing).toMatchObject({ status: 404, level: 'warn', reason: expect.any(String) })
    expect((await world.find(`id:${missing?.requestId}`)).Count).toBe(1)
    const [put] = (await world.find('method:PUT')).Entries
    expect(put).toMatchObject({ zone: 'acme', operation: 'putFile', by: { kind: 'key' } })
  },
)

test.skipIf(!isAlone)(
  'what is asked wrongly is refused at the character, and a page goes on from a cursor',
  async () => {
    await using world = await setUp()
    for (let each = 0; each < 25; each += 1) await world.ask(`/acme/v1/missing-${each}.txt`)
    const refusal: unknown = await world
      .find('status:404 ms:>fast')
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SedgeError)
    expect((refusal as SedgeError).body).toMatchObject({ Position: 15, error: { target: 'q' } })
    for (const query of ['q=&cursor=x', 'q=&from=yesterday', `q=${'a'.repeat(501)}`])
      expect((await world.ask(`/api/logs?${query}`, { headers: account })).status).toBe(400)

    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await world.find('path:*/missing-*', { limit: 10, ...(cursor && { cursor }) })
      seen.push(...page.Entries.map(({ path }) => path ?? ''))
      cursor = page.Cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(
      Array.from({ length: 25 }, (_, each) => `/acme/v1/missing-${24 - each}.txt`),
    )
  },
)

test.skipIf(!isAlone)(
  'a token for one zone sees the requests of that zone, and what others are called nowhere',
  async () => {
    await using world = await setUp()
    const tokenFor = async (name: string, zones?: readonly string[]) => {
      const body = { name, scopes: ['logs:read', 'assets:read'], ...(zones && { zones }) }
      const created = await fetch(`${world.service.url}/api/tokens`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify(body),
      })
      return ((await created.json()) as { token: string }).token
    }
    await world.zone('aka')
    await world.zone('akande')
    await world.put('aka/v1/icons/a.txt', 'a')
    await world.put('akande/v1/icons/a.txt', 'a')
    const narrow = await tokenFor('narrow', ['aka'])
    const wide = await tokenFor('confidential name')
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
    await world.ask('/aka/v1/icons/a.txt')
    await world.ask('/akande/v1/icons/a.txt')
    await world.ask('/akande/v1/icons/missing.txt')
    await world.ask('/api/assets?zone=aka', { headers: bearer(wide) })
    const text = async (q: string) => {
      const url = `${world.service.url}/api/logs?limit=500&q=${encodeURIComponent(q)}`
      return await (await fetch(url, { headers: bearer(narrow) })).text()
    }

    for (const q of ['', 'zone:akande', 'akande', 'token:"confidential name"', '-zone:aka']) {
      const seen = await text(q)
      expect({ q, leaks: /akande|confidential/u.test(seen) }).toEqual({ q, leaks: false })
    }
    expect(await text('')).toContain('/aka/v1/icons/a.txt')
    expect(JSON.parse(await text('token:conf*'))).toMatchObject({ Count: 0 })
    expect(JSON.parse(await text('by:token'))).toMatchObject({ Entries: [{ by: { name: null } }] })
    expect((await world.find('token:confidential*')).Entries).toMatchObject([
      { path: '/api/assets', by: { kind: 'token', name: 'confidential name' } },
    ])

    const leaving = new AbortController()
    const tail = await fetch(`${world.service.url}/api/logs?tail=true&q=`, {
      headers: bearer(narrow),
      signal: leaving.signal,
    })
    await world.ask('/akande/v1/icons/a.txt')
    await world.ask('/aka/v1/icons/a.txt')
    let followed = ''
    for await (const chunk of tail.body ?? []) {
      followed += new TextDecoder().decode(chunk)
      if (followed.includes('/aka/v1/icons/a.txt')) break
    }
    leaving.abort()
    expect(followed).not.toContain('akande')
  },
)

test.skipIf(!isAlone)(
  'a zone that begins anew shows nothing of a former one of its name',
  async () => {
    await using world = await setUp()
    await world.zone('acme')
    await world.ask('/acme/v1/former-secret.txt')
    await world.client.deleteZone({ id: 'acme' })
    await world.zone('acme')
    const created = await fetch(`${world.service.url}/api/tokens`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ name: 'new', scopes: ['logs:read'], zones: ['acme'] }),
    })
    const { token } = (await created.json()) as { token: string }
    const seen = await fetch(`${world.service.url}/api/logs?q=`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await seen.text()).not.toContain('former-secret')
  },
)

test.skipIf(!isAlone)(
  'a process that is killed loses no more than the last second; a flood is bounded',
  async () => {
    await using world = await setUp({ REQUEST_LOG_PER_SECOND: '20', REQUEST_LOG_NETWORKS: 'false' })
    await world.ask('/acme/v1/before.txt')
    const files = async () => await readdir(join(world.dataDirectory, 'logs/requests/missing'))
    await until(async () => (await files()).length > 0)
    await Promise.all(Array.from({ length: 200 }, () => world.ask('/acme/v1/flood.txt')))
    await world.ask('/api/assets', { headers: access })
    const flood = await world.find('path:/acme/v1/flood.txt')
    expect(flood.Count).toBeLessThan(100)
    expect(flood.NotKept).toBeGreaterThan(100)
    expect((await world.find('operation:listAssets')).Count).toBe(1)
    expect(flood.Entries.every(({ network }) => network === null)).toBeTrue()
    await world.service.kill()

    await using again = await startService({ dataDirectory: world.dataDirectory })
    const { client } = worldOf(again)
    const { Entries } = await client.listLogs({ q: 'path:/acme/v1/before.txt' })
    expect(Entries.map(said)).toEqual(['404 GET /acme/v1/before.txt'])
  },
)

test.skipIf(!isAlone)(
  'the access log has every line after a clean end, those of workers among them, and no address',
  async () => {
    await using directory = await temporaryDirectory()
    const logs = join(directory.path, 'access-log')
    await using world = await setUp({
      ACCESS_LOG_TO: logs,
      TRUSTED_PROXIES: '127.0.0.1',
      EDGE_WORKERS: '1',
    })
    const headers = { 'X-Forwarded-For': '198.51.100.77' }
    for (let each = 0; each < 50; each += 1)
      await world.ask(`/nowhere/v1/${each}.txt?signature=secret`, { headers })
    expect(await world.service.stop()).toBe(0)

    const names = await readdir(logs, { recursive: true })
    const files = names.filter((name) => name.endsWith('.ndjson.gz')).toSorted()
    const texts = await Promise.all(
      files.map(async (name) => gunzipSync(await Bun.file(join(logs, name)).bytes()).toString()),
    )
    const text = texts.join('')
    const paths = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly path: string }).path)
    for (let each = 0; each < 50; each += 1) expect(paths).toContain(`/nowhere/v1/${each}.txt`)
    expect(text).toContain('198.51.100.0/24')
    expect(text).not.toContain('198.51.100.77')
    expect(text).not.toContain('secret')
  },
  60_000,
)
