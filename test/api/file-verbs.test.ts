import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'

interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

const undo = new AsyncDisposableStack()
let service: InProcessService
let zone = ''
let zoneCount = 0

beforeAll(async () => void (service = undo.use(await openInProcess())), 30_000)
afterAll(() => undo.disposeAsync())
beforeEach(async () => {
  zoneCount += 1
  zone = `zone-${zoneCount}`
  await service.createZone(zone)
})

async function ask(
  method: string,
  path: string,
  { body, headers = access }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await service.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Answer['json'] }
}

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  ask('POST', path, { body, ...(headers && { headers }) })

async function put(path: string, body: string): Promise<string> {
  const response = await service.storage('PUT', `${zone}/v1/${path}`, { body })
  expect(response.status).toBe(201)
  await response.arrayBuffer()
  return response.headers.get('etag') ?? ''
}

const statusAt = async (path: string) => {
  const response = await service.fetch(`/${zone}/v1/${path}`, { redirect: 'manual' })
  await response.arrayBuffer()
  return response.status
}

async function tokenFor(scopes: readonly string[], zones?: readonly string[]) {
  const { json } = await post('/api/tokens', { name: 't', scopes, zones }, { ...account })
  return { Authorization: `Bearer ${String(json['token'])}` }
}

test('a copy is served beside what it was made of, and the answer says what was done', async () => {
  await put('logos/a.svg', '<svg/>')
  const { status, json } = await post('/api/storage/copy', {
    From: `${zone}/v1/logos/a.svg`,
    To: `/clients/${zone}/v1/icons/`,
  })

  expect(status).toBe(201)
  expect(json).toMatchObject({
    HttpCode: 201,
    Message: 'Files copied: 1',
    From: `clients/${zone}/v1/logos/a.svg`,
    To: `clients/${zone}/v1/icons/a.svg`,
    Files: 1,
    EdgeStatus: 'pending',
    DryRun: false,
  })
  expect(json['Commit']).toMatch(/^[0-9a-f]{40}$/u)
  expect([await statusAt('logos/a.svg'), await statusAt('icons/a.svg')]).toEqual([200, 200])
})

test('a directory that is moved is at its new URLs, and a rule leads there', async () => {
  await put('logos/old/a.svg', '<svg/>')
  await put('logos/old/deep/b.svg', '<svg id="b"/>')
  const { status, json } = await post('/api/storage/move', {
    From: `${zone}/v1/logos/old/`,
    To: `${zone}/v1/brand`,
    Redirect: true,
  })

  expect(status).toBe(200)
  expect(json).toMatchObject({ Files: 2, EdgeStatus: 'purging' })
  expect(await statusAt('brand/deep/b.svg')).toBe(200)
  const former = await service.fetch(`/${zone}/v1/logos/old/a.svg`, { redirect: 'manual' })
  expect([former.status, former.headers.get('location')]).toEqual([301, `/${zone}/v1/brand/a.svg`])
})

test('If-Match guards a move, and a dry run changes nothing', async () => {
  const etag = await put('logos/a.svg', '<svg/>')
  const body = { From: `${zone}/v1/logos/a.svg`, To: `${zone}/v1/logos/b.svg` }
  const other = await post('/api/storage/move', body, { ...access, 'If-Match': '"other"' })
  expect([other.status, other.json['error']]).toMatchObject([412, { code: 'PreconditionFailed' }])
  const dry = await post('/api/storage/move?dry_run=true', body, { ...access, 'If-Match': etag })
  expect([dry.status, dry.json['Commit'], dry.json['DryRun']]).toEqual([200, null, true])
  expect(await statusAt('logos/a.svg')).toBe(200)

  expect((await post('/api/storage/move', body, { ...access, 'If-Match': etag })).status).toBe(200)
})

test('what cannot be is refused with the field that is wrong', async () => {
  await put('logos/a.svg', '<svg/>')
  await put('icons/a.svg', '<svg id="2"/>')
  const from = `${zone}/v1/logos/a.svg`
  const cases: readonly (readonly [object, number, string, string])[] = [
    [{ From: from, To: `${zone}/v1/icons/a.svg` }, 409, 'PathConflict', 'To'],
    [{ From: from, To: `${zone}/v1/icons/A.svg` }, 409, 'PathConflict', 'To'],
    [{ From: from, To: from }, 400, 'InvalidParameter', 'To'],
    [{ From: `${zone}/v1/logos`, To: `${zone}/v1/logos/x` }, 400, 'InvalidParameter', 'To'],
    [{ From: `${zone}/v1/logos/../a`, To: from }, 400, 'InvalidParameter', 'From'],
    [{ From: from, To: `${zone}/elsewhere` }, 400, 'InvalidParameter', 'To'],
    [{ From: `${zone}/v1/none`, To: `${zone}/v1/x` }, 404, 'AssetNotFound', 'From'],
    [{ From: from, To: 'no-such-zone/v1/logos/a.svg' }, 404, 'ZoneNotFound', 'From'],
    [{ From: from }, 400, 'InvalidParameter', 'To'],
  ]
  for (const path of ['/api/storage/move', '/api/storage/copy'])
    for (const [body, status, code, target] of cases) {
      const refused = await post(path, body)
      expect([refused.status, refused.json['error']]).toMatchObject([status, { code, target }])
    }
})

test('what is deleted is listed and comes back in one call', async () => {
  for (const name of ['a.svg', 'b.svg']) await put(`logos/old/${name}`, `<svg id="${name}"/>`)
  await put('logos/c.svg', '<svg/>')
  const gone = await post('/api/storage/delete', {
    Paths: [`${zone}/v1/logos/old/`, `${zone}/v1/logos/c.svg`],
  })
  expect([gone.status, gone.json['Files']]).toEqual([200, 3])
  expect(await statusAt('logos/c.svg')).toBe(404)
  const list = await ask('GET', `/api/assets/deleted?zone=${zone}&per_page=2`)
  expect(list.json).toMatchObject({
    Pagination: { Page: 1, PerPage: 2, TotalItems: 3, TotalPages: 2 },
    Data: [
      {
        Path: `${zone}/v1/logos/c.svg`,
        Size: 6,
        DeletedBy: 'access-key',
        Commit: gone.json['Commit'],
      },
      { Path: `${zone}/v1/logos/old/a.svg`, Project: zone, Category: 'logos', Format: 'svg' },
    ],
  })
  const back = await post('/api/assets/restore', {
    Paths: [`${zone}/v1/logos/old/`, `${zone}/v1/logos/c.svg`],
  })

  expect(back).toMatchObject({ status: 200, json: { EdgeStatus: 'pending' } })
  expect(back.json['Paths']).toHaveLength(3)
  expect([await statusAt('logos/c.svg'), await statusAt('logos/old/a.svg')]).toEqual([200, 200])
  expect((await ask('GET', `/api/assets/deleted?zone=${zone}`)).json['Data']).toEqual([])
})

test('what is known of a file moves, is copied, deleted and brought back with it', async () => {
  await put('logos/a.svg', '<svg/>')
  const path = (name: string) => `${zone}/v1/logos/${name}`
  const titleOf = async (name: string) => {
    const { json } = await ask('GET', `/api/assets/metadata?path=${path(name)}`)
    return (json['Metadata'] as Readonly<Record<string, unknown>> | undefined)?.['Title']
  }
  await ask('PATCH', `/api/assets/metadata?path=${path('a.svg')}`, { body: { Title: 'A leaf' } })
  await post('/api/storage/copy', { From: path('a.svg'), To: path('copy.svg') })
  await post('/api/storage/move', { From: path('a.svg'), To: path('moved.svg') })
  expect([await titleOf('copy.svg'), await titleOf('moved.svg')]).toEqual(['A leaf', 'A leaf'])
  await post('/api/storage/delete', { Paths: [path('moved.svg')] })
  await put('logos/a.svg', '<svg id="other"/>')
  expect(await titleOf('a.svg')).toBeNull()
  await post('/api/assets/restore', { Paths: [path('moved.svg')] })

  expect(await titleOf('moved.svg')).toBe('A leaf')
})

test('one action on many paths is one commit, with a result a path', async () => {
  const names = ['a.svg', 'b.svg', 'c.svg']
  for (const name of names) await put(`logos/${name}`, `<svg id="${name}"/>`)
  const Paths = names.map((name) => `${zone}/v1/logos/${name}`)
  const bulk = (body: object) => post('/api/assets/bulk', { Paths, ...body })
  const done = async (body: object) => {
    const { status, json } = await bulk(body)
    expect([status, json['error']]).toEqual([200, undefined])
    return json['Results'] as readonly Readonly<Record<string, unknown>>[]
  }
  const tagged = await bulk({ Action: 'tag', Tags: ['spring'] })
  expect(tagged.json['Commit']).toMatch(/^[0-9a-f]{40}$/u)
  expect(await done({ Action: 'tag', Tags: ['spring'] })).toMatchObject(
    Paths.map((Path) => ({ Path, Outcome: 'unchanged' })),
  )
  expect(await done({ Action: 'set', Metadata: { Title: 'T' } })).toMatchObject([
    { Outcome: 'updated' },
    { Outcome: 'updated' },
    { Outcome: 'updated' },
  ])
  expect(await done({ Action: 'untag', Tags: ['spring'] })).toHaveLength(3)
  expect(await done({ Action: 'copy', To: `${zone}/v1/icons/` })).toMatchObject(
    names.map((name) => ({ Outcome: 'copied', To: `${zone}/v1/icons/${name}` })),
  )
  expect(await done({ Action: 'purge' })).toMatchObject([
    { Outcome: 'purged' },
    { Outcome: 'purged' },
    { Outcome: 'purged' },
  ])
  expect(await done({ Action: 'delete', DryRun: true })).toMatchObject([
    { Outcome: 'deleted', Files: 1 },
    {},
    {},
  ])
  expect(await done({ Action: 'move', To: `${zone}/v1/brand`, Redirect: true })).toHaveLength(3)
  expect(await statusAt('logos/a.svg')).toBe(301)
  expect(await statusAt('brand/c.svg')).toBe(200)
})

test('where one path of many cannot be, nothing is done and each that cannot is named', async () => {
  await put('logos/a.svg', '<svg/>')
  const Paths = ['a.svg', 'none.svg', 'neither.svg'].map((name) => `${zone}/v1/logos/${name}`)
  for (const more of [
    { Action: 'delete' },
    { Action: 'move', To: `${zone}/v1/icons` },
    { Action: 'tag', Tags: ['x'] },
  ]) {
    const { status, json } = await post('/api/assets/bulk', { Paths, ...more })
    expect(status).toBe(404)
    expect(json['error']).toMatchObject({
      code: 'AssetNotFound',
      details: [{ target: 'Paths[1]' }, { target: 'Paths[2]' }],
    })
  }
  expect(await statusAt('logos/a.svg')).toBe(200)
})

test('a bulk request that makes no sense is told what would', async () => {
  await put('logos/a.svg', '<svg/>')
  const path = `${zone}/v1/logos/a.svg`
  const cases: readonly (readonly [object, string])[] = [
    [{ Paths: [path], Action: 'move' }, 'To'],
    [{ Paths: [path], Action: 'tag' }, 'Tags'],
    [{ Paths: [path], Action: 'set' }, 'Metadata'],
    [{ Paths: [path, `/clients/${path}`], Action: 'delete' }, 'Paths[1]'],
    [{ Paths: [`${zone}/v1/logos/`], Action: 'tag', Tags: ['x'] }, 'Paths[0]'],
    [{ Paths: [], Action: 'delete' }, 'Paths'],
    [{ Paths: Array.from({ length: 5001 }, () => path), Action: 'delete' }, 'Paths'],
    [{ Paths: [path], Action: 'burn' }, 'Action'],
  ]
  for (const [body, target] of cases) {
    const { status, json } = await post('/api/assets/bulk', body)
    expect([status, json['error']]).toMatchObject([400, { code: 'InvalidParameter', target }])
  }
})

test('a token does no more than it was made for', async () => {
  await put('logos/a.svg', '<svg/>')
  await put('private/b.svg', '<svg/>')
  const path = `${zone}/v1/logos/a.svg`
  const writer = await tokenFor(['storage:write'], [zone])
  const reader = await tokenFor(['storage:write', 'storage:read'], [zone])
  const purger = await tokenFor(['storage:write', 'purge:write'], [zone])
  const scopeOf = async (url: string, body: object, headers: Record<string, string>) => {
    const { status, json } = await post(url, body, headers)
    return status < 300 ? 'done' : (json['error'] as { readonly code: string }).code
  }
  const show = { From: `${zone}/v1/private/b.svg`, To: `${zone}/v1/logos/b.svg` }
  const purge = { Paths: [path], Action: 'purge' }

  expect(await scopeOf('/api/storage/copy', show, writer)).toBe('InsufficientScope')
  expect(await scopeOf('/api/storage/copy', show, reader)).toBe('done')
  expect(await scopeOf('/api/assets/bulk', purge, writer)).toBe('InsufficientScope')
  expect(await scopeOf('/api/assets/bulk', purge, purger)).toBe('done')
  const move = { From: path, To: `${zone}/v1/logos/c.svg`, Redirect: true }
  expect(await scopeOf('/api/storage/move', move, writer)).toBe('InsufficientScope')
  expect(await statusAt('logos/a.svg')).toBe(200)
})

test('files of any bytes, also large ones, are moved as they are', async () => {
  const large = 'x'.repeat(3_000_000)
  await put('logos/large.bin', large)
  const { status } = await post('/api/storage/move', {
    From: `${zone}/v1/logos/large.bin`,
    To: `${zone}/v1/titles/large.bin`,
  })

  expect(status).toBe(200)
  const response = await service.fetch(`/${zone}/v1/titles/large.bin`)
  expect((await response.text()).length).toBe(large.length)
})

test('history and figures of a moved file tell both names', async () => {
  await put('logos/a.svg', '<svg/>')
  expect(await statusAt('logos/a.svg')).toBe(200)
  await post('/api/storage/move', { From: `${zone}/v1/logos`, To: `${zone}/v1/brand` })
  expect(await statusAt('brand/a.svg')).toBe(200)
  const path = `${zone}/v1/brand/a.svg`
  const history = await ask('GET', `/api/assets/history?path=${path}`)
  expect(history.json['Versions']).toMatchObject([
    { Path: path, MovedFrom: `${zone}/v1/logos/a.svg`, MovedTo: null, Change: 'stored' },
    { Path: `${zone}/v1/logos/a.svg`, MovedFrom: null },
  ])
  const insights = await ask('GET', `/api/insights/asset?path=${path}`)

  expect(insights.json).toMatchObject({
    Path: path,
    Names: [
      { Path: path, Until: null },
      { Path: `${zone}/v1/logos/a.svg`, Until: expect.any(String) },
    ],
    TotalRequests: 2,
  })
})

test('a version is brought back with what was known of it then', async () => {
  const asset = `${zone}/v1/versions/a.txt`
  const described = `/api/assets/metadata?path=${asset}`
  const headers = { ...access, 'Content-Type': 'application/json' }
  const describe = (Title: string) =>
    service.fetch(described, { method: 'PATCH', headers, body: JSON.stringify({ Title }) })
  const known = async () =>
    (await (await service.fetch(described, { headers: access })).json()).Metadata.Title

  await service.storage('PUT', asset, { body: 'one' })
  await describe('First')
  await service.storage('PUT', asset, { body: 'two' })
  const history = await service.fetch(`/api/assets/history?path=${asset}`, { headers: access })
  const [second, first] = (await history.json()).Versions
  await describe('Second')

  for (const [commit, title] of [
    [second.Commit, 'First'],
    [first.Commit, 'First'],
  ]) {
    const body = JSON.stringify({ path: asset, commit })
    const restored = await service.fetch('/api/assets/restore', { method: 'POST', headers, body })
    expect(restored.status).toBe(200)
    expect(await known()).toBe(title)
  }
  expect(await (await service.storage('GET', asset)).text()).toBe('one')
})
