import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess({ environment: { CNAME_TARGET: 'edge.example.net' } })
})

afterAll(() => service[Symbol.asyncDispose]())

const put = (path: string, body: string) => service.storage('PUT', path, { body })

test('a zone is created with five directories and is listed while it is empty', async () => {
  const created = await service.core('POST', 'zones', { Name: 'fresh' })
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({
    HttpCode: 201,
    Id: 'fresh',
    Name: 'fresh',
    OriginUrl: expect.stringContaining('/fresh/'),
    Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
    Directories: ['banners', 'github', 'icons', 'logos', 'titles'],
    EdgeStatus: 'pending',
    EdgeNote: expect.any(String),
    DateCreated: expect.any(String),
  })
  const zones = await (await service.core('GET', 'zones')).json()
  expect(zones).toContainEqual({
    Id: 'fresh',
    Name: 'fresh',
    StorageZoneName: 'fresh',
    OriginUrl: expect.any(String),
    FileCount: 0,
    StorageUsed: 0,
    StorageUsedHuman: '0 B',
    Categories: [],
    DateCreated: expect.any(String),
    Enabled: true,
    Suspended: false,
    History: 'off',
    Transforms: 'open',
    HistoryDays: null,
    HistorySince: null,
    CacheLifetime: null,
    Metadata: null,
    Vision: 'suggest',
    Moderation: 'off',
    Languages: ['en'],
    name: 'fresh',
    domains: [],
    createdAt: expect.any(String),
  })
})

test.each([
  '',
  'a',
  'Upper',
  'under_score',
  'a'.repeat(65),
  'é',
  'a b',
  'stocks',
  'api',
  'clients',
])('the zone name %j is 400 with its target', async (Name) => {
  const response = await service.core('POST', 'zones', { Name })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'InvalidParameter', target: 'Name' },
  })
})

test('a zone name that is taken is 409, also of two at once', async () => {
  const answers = await Promise.all([
    service.core('POST', 'zones', { Name: 'twice' }),
    service.core('POST', 'zones', { Name: 'twice' }),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
})

test('a body that is no JSON or has the wrong shape is 400 with its faults', async () => {
  const headers = { AccountKey: 'test-account-key-0123456789', 'Content-Type': 'application/json' }
  for (const body of ['', '{', '[]', '{"Name":5}', '{}']) {
    const response = await service.fetch('/api/core/zones', { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'InvalidParameter' } })
  }
})

test('what files take is told by category and format', async () => {
  await service.createZone('weighed')
  await put('weighed/v1/logos/a.svg', '<svg/>')
  await put('weighed/v1/icons/b.svg', '<svg xmlns="x"/>')
  const storage = await (await service.core('GET', 'zones/weighed/storage')).json()
  expect(storage).toMatchObject({
    FileCount: 2,
    StorageUsed: 22,
    Kinds: [
      { Category: 'icons', Format: 'svg', FileCount: 1, Bytes: 16 },
      { Category: 'logos', Format: 'svg', FileCount: 1, Bytes: 6 },
    ],
  })
  expect((await service.core('GET', 'zones/nobody/storage')).status).toBe(404)
})

test('the detail of a zone has its formats and files', async () => {
  await service.createZone('detailed')
  await put('detailed/v1/logos/a.svg', '<svg/>')
  await put('detailed/v1/b.PNG', 'png')
  const detail = await (await service.core('GET', 'zones/detailed')).json()
  expect(detail).toMatchObject({
    FileCount: 2,
    StorageUsed: 9,
    Categories: ['general', 'logos'],
    Formats: ['png', 'svg'],
    Files: [
      { Path: 'detailed/v1/b.PNG', Name: 'b.PNG', Format: 'png', Size: 3, Category: 'general' },
      { Path: 'detailed/v1/logos/a.svg', Name: 'a.svg', Format: 'svg', Size: 6, Category: 'logos' },
    ],
  })
  expect((await service.core('GET', 'zones/nobody')).status).toBe(404)
})

test('a disabled zone is 404 at the edge, a suspended one 403, at once', async () => {
  await service.createZone('flagged')
  await put('flagged/v1/logos/a.txt', 'a')
  const served = async () => (await service.fetch('/flagged/v1/logos/a.txt')).status
  expect(await served()).toBe(200)
  const disabled = await (await service.core('PATCH', 'zones/flagged', { Enabled: false })).json()
  expect(disabled).toMatchObject({ Name: 'flagged', Enabled: false })
  expect(await served()).toBe(404)
  await service.core('PATCH', 'zones/flagged', { Enabled: true, Suspended: true })
  expect(await served()).toBe(403)
  await service.core('PATCH', 'zones/flagged', { Suspended: false })
  expect(await served()).toBe(200)
  expect((await service.core('PATCH', 'zones/flagged', {})).status).toBe(400)
  expect((await service.core('PATCH', 'zones/nobody', { Enabled: true })).status).toBe(404)
})

test('deleting a zone takes its files, its domains and its name away', async () => {
  await service.createZone('doomed')
  await put('doomed/v1/logos/a.txt', 'a')
  await put('doomed/v1/logos/b.txt', 'b')
  await service.core('POST', 'zones/doomed/domains', { Hostname: 'doomed.example.com' })
  const deleted = await (await service.core('DELETE', 'zones/doomed')).json()
  expect(deleted).toMatchObject({
    HttpCode: 200,
    Message: expect.stringContaining('2'),
    Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
    FilesRemoved: 2,
    EdgeStatus: 'purging',
  })
  expect((await service.fetch('/doomed/v1/logos/a.txt')).status).toBe(404)
  expect((await service.core('GET', 'zones/doomed')).status).toBe(404)
  expect((await service.core('DELETE', 'zones/doomed')).status).toBe(404)
  await service.createZone('heir')
  const inherited = await service.core('POST', 'zones/heir/domains', {
    Hostname: 'doomed.example.com',
  })
  expect(inherited.status).toBe(201)
})

test('a domain is validated, belongs to one zone, and is provisioning', async () => {
  await service.createZone('hosted')
  await service.createZone('rival')
  await put('hosted/v1/logos/a.txt', 'hosted')
  const added = await service.core('POST', 'zones/hosted/domains', {
    Hostname: 'CDN.Bücher.example',
  })
  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({
    HttpCode: 201,
    Zone: 'hosted',
    Hostname: 'cdn.xn--bcher-kva.example',
    SslStatus: 'provisioning',
    Note: expect.stringContaining('edge.example.net'),
    DateCreated: expect.any(String),
  })
  const taken = await service.core('POST', 'zones/rival/domains', {
    Hostname: 'cdn.xn--bcher-kva.example',
  })
  expect(taken.status).toBe(409)
  expect(await taken.json()).toMatchObject({ error: { code: 'HostnameTaken' } })
  expect(
    (await service.core('POST', 'zones/nobody/domains', { Hostname: 'a.example' })).status,
  ).toBe(404)
  expect(
    (await service.core('POST', 'zones/hosted/domains', { Hostname: 'localhost' })).status,
  ).toBe(400)

  const own = await service.core('POST', 'zones/hosted/domains', { Hostname: 'Edge.example.net' })
  expect([own.status, await own.json()]).toMatchObject([409, { error: { code: 'HostnameTaken' } }])

  const list = await (await service.core('GET', 'zones/hosted/domains')).json()
  expect(list).toMatchObject([
    {
      Hostname: 'cdn.xn--bcher-kva.example',
      SslExpires: null,
      SslNextCheck: expect.any(String),
      HttpsRedirect: true,
    },
  ])
  const one = 'zones/hosted/domains/cdn.xn--bcher-kva.example'
  expect((await service.core('GET', one)).status).toBe(200)
  expect((await service.core('GET', one.replace('hosted', 'rival'))).status).toBe(404)
  expect((await service.core('DELETE', one)).status).toBe(200)
  expect((await service.core('GET', one)).status).toBe(404)
})

test('whether a domain redirects to https is its owner’s to say', async () => {
  await service.createZone('careful')
  const domains = 'zones/careful/domains'
  const wanted = { Hostname: 'plain.example.com', HttpsRedirect: false }
  const added = await service.core('POST', domains, wanted)
  expect(await added.json()).toMatchObject({ HttpsRedirect: false })
  const one = `${domains}/plain.example.com`
  const changed = await service.core('PATCH', one, { HttpsRedirect: true })
  expect(changed.status).toBe(200)
  expect(await changed.json()).toMatchObject({
    Hostname: 'plain.example.com',
    HttpsRedirect: true,
    SslHistory: expect.any(Array),
  })

  expect((await service.core('PATCH', one, { HttpsRedirect: 'yes' })).status).toBe(400)
  expect((await service.core('PATCH', one, {})).status).toBe(400)
  const nobody = `${domains}/nobody.example.com`
  expect((await service.core('PATCH', nobody, { HttpsRedirect: true })).status).toBe(404)
})

test('what does TLS in front of the service can ask whether a name is one of ours', async () => {
  await service.createZone('asked')
  await service.core('POST', 'zones/asked/domains', { Hostname: 'asked.example.com' })
  const ask = async (query: string) =>
    (await service.fetch(`/api/core/domains/allowed${query}`)).status

  expect(await ask('?domain=asked.example.com')).toBe(200)
  expect(await ask('?domain=ASKED.example.com.')).toBe(200)
  expect(await ask('?domain=other.example.com')).toBe(404)
  for (const wrong of ['', '?domain=', '?domain=a%20b', '?domain=1.2.3.4', '?domain=x'])
    expect(await ask(wrong)).toBe(400)
})

test('rule files are committed, read back, and bounded', async () => {
  const written = await service.core('POST', 'rules', {
    File: '_headers',
    Content: '/*\n  X-Test: yes\n',
  })
  expect(await written.json()).toMatchObject({
    HttpCode: 200,
    File: '_headers',
    Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
    EdgeStatus: 'pending',
    EdgeNote: expect.any(String),
    DateModified: expect.any(String),
  })
  expect(await (await service.core('GET', 'rules')).json()).toMatchObject({
    Headers: '/*\n  X-Test: yes\n',
    Redirects: null,
    Editable: ['_headers', '_redirects', '_transforms'],
    DateFetched: expect.any(String),
  })
  expect(await (await service.core('GET', 'rules?file=_headers')).json()).toMatchObject({
    File: '_headers',
    Content: '/*\n  X-Test: yes\n',
  })
  const long = { File: '_headers', Content: '#'.repeat(100_001) }
  expect((await service.core('POST', 'rules', long)).status).toBe(400)
  expect((await service.core('POST', 'rules', { File: 'x', Content: '' })).status).toBe(400)
})

test('lines that can never take effect are refused by number; doubtful ones are warned of', async () => {
  const refused = await service.core('POST', 'rules', {
    File: '_redirects',
    Content: '/a /b 301\n/c /d 999\n\n/e\n',
  })
  expect(refused.status).toBe(400)
  const { error } = await refused.json()
  expect(error.details.map((detail: { target: string }) => detail.target)).toEqual(['2', '4'])
  expect(await (await service.core('GET', 'rules')).json()).toMatchObject({ Redirects: null })

  const doubtful = { File: '_redirects', Content: '/a/* /x 301\n/b /y 301\n' }
  const dry = await (await service.core('POST', 'rules?dry_run=true', doubtful)).json()
  expect(dry).toMatchObject({ HttpCode: 200, DryRun: true, Commit: '' })
  expect(dry.Warnings.length).toBeGreaterThan(0)
  expect(await (await service.core('GET', 'rules')).json()).toMatchObject({ Redirects: null })
})

test('an address is explained rule by rule', async () => {
  await service.core('POST', 'rules', { File: '_redirects', Content: '/old/* /new/:splat 301\n' })
  const told = await (await service.core('GET', 'rules/explain?url=/old/x.png')).json()
  expect(told).toMatchObject({
    Redirects: [{ line: 1, outcome: 'matched', captures: { splat: 'x.png' } }],
    Action: { kind: 'redirect' },
  })
  const moved = await service.fetch('/old/x.png', { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/new/x.png'])
  expect((await service.core('GET', 'rules/explain?url=ftp://x')).status).toBe(400)
})

test('every mutation leaves an audit row that says who, what and from where', async () => {
  await service.createZone('audited')
  await service.storage('PUT', 'audited/v1/logos/a.txt', {
    body: 'a',
    headers: { 'User-Agent': 'tester', 'X-Request-ID': '00000000-0000-4000-8000-000000000001' },
  })
  await service.core('PATCH', 'zones/audited', { Suspended: true })
  const { Entries, logs, Count, Period } = await (
    await service.core('GET', 'audit-logs?days=1&limit=5000')
  ).json()
  expect(logs).toEqual(Entries)
  expect(Count).toBe(Entries.length)
  expect(Period).toEqual({ Days: 1 })
  const mine = Entries.filter((entry: { target: string }) => entry.target.startsWith('audited'))
  expect(mine.map((entry: { action: string }) => entry.action)).toEqual([
    'zone.update',
    'storage.put',
    'zone.create',
  ])
  expect(mine[1]).toMatchObject({
    actor: 'access-key',
    ip: '127.0.0.1',
    userAgent: 'tester',
    requestId: '00000000-0000-4000-8000-000000000001',
    target: 'audited/v1/logos/a.txt',
  })
  const some = await (await service.core('GET', 'audit-logs?action=storage.put&limit=1')).json()
  expect(some.Count).toBe(1)
})

test('days and limit are clamped, and what is no whole number is 400', async () => {
  const period = async (query: string) =>
    (await (await service.core('GET', `audit-logs?${query}`)).json()).Period
  expect(await period('days=1000')).toEqual({ Days: 90 })
  expect(await period('days=-5')).toEqual({ Days: 1 })
  for (const query of ['days=x', 'days=1.5', 'limit=ten'])
    expect((await service.core('GET', `audit-logs?${query}`)).status).toBe(400)
})

test('the limit that was used is told', async () => {
  await service.core('POST', 'zones', { Name: 'limits' })
  await put('limits/v1/logos/limit.txt', 'x')
  const used: readonly (readonly [string, string, number])[] = [
    ['/api/insights/top-assets', 'Limit', 100],
    ['/api/logs', 'Limit', 500],
    ['/api/core/audit-logs', 'Limit', 5000],
    ['/api/search?q=limit', 'limit', 50],
    ['/api/assets/history?path=limits/v1/logos/limit.txt', 'Limit', 100],
  ]
  for (const [url, name, most] of used) {
    const ask = async (limit: number) => {
      const query = `${url.includes('?') ? '&' : '?'}limit=${limit}`
      const headers = { AccountKey: testKeys.ACCOUNT_KEY, AccessKey: testKeys.ACCESS_KEY }
      return (await (await service.fetch(url + query, { headers })).json())[name]
    }
    expect([await ask(-1), await ask(7), await ask(1_000_000)]).toEqual([1, 7, most])
  }
})

test('no rule touches the address where an ACME server asks', async () => {
  const rules = [
    { File: '_redirects', Content: '/* https://elsewhere.example/:splat 301\n' },
    { File: '_headers', Content: '/*\n  X-Ruled: yes\n' },
  ]
  for (const rule of rules) expect((await service.core('POST', 'rules', rule)).status).toBe(200)
  const ruled = await service.fetch('/acme/v1/any')
  expect([ruled.status, ruled.headers.get('x-ruled')]).toEqual([301, 'yes'])
  const asked = await service.fetch('/.well-known/acme-challenge/token')
  expect([asked.status, asked.headers.get('x-ruled')]).toEqual([404, null])
  for (const { File } of rules) await service.core('POST', 'rules', { File, Content: '' })
})
