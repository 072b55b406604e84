import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'
import { type Tenant, tenantOf } from '../support/tenant.ts'

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

const operator: Tenant = (method, path, body) =>
  service.fetch(path, {
    method,
    headers: access,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

// oxlint-disable-next-line typescript/no-explicit-any -- what is expected of it says what it is
async function post(path: string, body: unknown, ask = operator): Promise<any> {
  const response = await ask('POST', path, body)
  return { status: response.status, ...((await response.json()) as object) }
}

const bulk = (body: object, ask = operator) => post('/api/assets/bulk', body, ask)
const takeBack = (commit: string, more = {}, ask = operator) =>
  post('/api/assets/undo', { Commit: commit, ...more }, ask)

async function put(path: string, body = path): Promise<void> {
  const response = await service.storage('PUT', `${zone}/v1/${path}`, { body })
  expect(response.status).toBe(201)
  await response.arrayBuffer()
}

async function paths(): Promise<readonly string[]> {
  const response = await operator('GET', `/api/assets?folder=${zone}&sort=path`)
  const { Data } = (await response.json()) as { Data: readonly { Path: string }[] }
  return Data.map(({ Path }) => Path.slice(`${zone}/v1/`.length))
}

async function tags(path: string): Promise<readonly string[]> {
  const response = await operator('GET', `/api/assets?folder=${zone}&q=${path}`)
  const { Data } = (await response.json()) as { Data: readonly { Tags: readonly string[] }[] }
  return Data[0]?.Tags ?? []
}

test('a filter means all that a list of it has, but for what is excepted', async () => {
  for (const name of ['a.svg', 'b.svg', 'c.svg', 'd.png']) await put(`icons/${name}`)
  await put('icons/deep/e.svg')
  const Filter = `folder=${zone}/v1/icons&direct=true&format=svg`
  const Except = [`${zone}/v1/icons/b.svg`]
  const dry = await bulk({ Filter, Except, Action: 'delete', DryRun: true })
  expect(dry.Results.map(({ Path }: { Path: string }) => Path)).toEqual([
    `${zone}/v1/icons/a.svg`,
    `${zone}/v1/icons/c.svg`,
  ])
  await bulk({ Filter, Except, Action: 'delete' })
  expect(await paths()).toEqual(['icons/b.svg', 'icons/d.png', 'icons/deep/e.svg'])
})

test('whoever may describe assets tags many of them, and does nothing else to them', async () => {
  for (const name of ['a.svg', 'b.svg']) await put(`icons/${name}`)
  const Filter = `folder=${zone}/v1/icons`
  const token = await describingToken()
  const ask: Tenant = (method, path, body) =>
    service.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const describe = (body: object) => post('/api/assets/describe', body, ask)
  expect(await describe({ Filter, Action: 'tag', Tags: ['spring'] })).toMatchObject({
    status: 200,
    Results: [{ Outcome: 'updated' }, { Outcome: 'updated' }],
  })
  expect(await tags('a.svg')).toEqual(['spring'])
  expect((await describe({ Filter, Action: 'delete' })).status).toBe(400)
  expect((await bulk({ Filter, Action: 'tag', Tags: ['no'] }, ask)).status).toBe(403)
  const Paths = ['other/v1/icons/a.svg']
  expect((await describe({ Paths, Action: 'tag', Tags: ['no'] })).status).toBe(404)
})

async function describingToken(): Promise<string> {
  const response = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: { ...account, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'editor',
      scopes: ['metadata:write', 'assets:read'],
      zones: [zone],
    }),
  })
  return ((await response.json()) as { token: string }).token
}

test('a filter that nobody understands, or that says nothing, changes nothing', async () => {
  await put('icons/a.svg')
  const refused = async (Filter: string) => (await bulk({ Filter, Action: 'delete' })).status
  for (const filter of ['formt=svg', 'x', 'q=', 'folder=a&folder=b', 'sort=name', 'direct=maybe'])
    expect({ filter, status: await refused(filter) }).toEqual({ filter, status: 400 })
  expect(await refused(`folder=${zone}&q=nothing`)).toBe(404)
  expect(await refused('folder=nobody')).toBe(404)
  expect((await bulk({ Action: 'delete' })).status).toBe(400)
  expect(await paths()).toEqual(['icons/a.svg'])
})

test('what a filter of a tenant means is in its own zones', async () => {
  await put('icons/mine.svg')
  const other = zone
  await service.createZone(`${zone}-too`)
  zone = `${zone}-too`
  await put('icons/mine.svg')
  const ask = await tenantOf(service, zone)
  const { Results } = await bulk({ Filter: 'q=mine', Action: 'tag', Tags: ['x'] }, ask)
  expect(Results).toHaveLength(1)
  expect(await tags('mine')).toEqual(['x'])
  expect((await bulk({ Filter: `folder=${other}`, Action: 'delete' }, ask)).status).toBe(404)
})

test('a move is taken back, with what it overwrote and the redirects that it left', async () => {
  await put('a/one.txt', 'one')
  await put('a/two.txt', 'two')
  await put('b/one.txt', 'older')
  await bulk({ Paths: [`${zone}/v1/a/one.txt`], Action: 'tag', Tags: ['kept'] })
  const { Commit, status } = await bulk({
    Paths: [`${zone}/v1/a/one.txt`, `${zone}/v1/a/two.txt`],
    Action: 'move',
    To: `${zone}/v1/b/`,
    Overwrite: true,
    Redirect: true,
  })
  expect(status).toBe(200)
  const visit = async (path: string) =>
    (await service.fetch(`/${zone}/v1/${path}`, { redirect: 'manual' })).status
  expect([await paths(), await visit('a/two.txt')]).toEqual([['b/one.txt', 'b/two.txt'], 301])

  const done = await takeBack(Commit)
  expect(done).toMatchObject({ status: 200, Added: 2, Changed: 1, Removed: 1 })
  expect(await paths()).toEqual(['a/one.txt', 'a/two.txt', 'b/one.txt'])
  expect(await (await service.storage('GET', `${zone}/v1/b/one.txt`)).text()).toBe('older')
  expect(await (await service.storage('GET', '../rules/redirects')).text()).not.toContain(zone)
  expect([await visit('a/two.txt'), await tags('a/one')]).toEqual([200, ['kept']])

  await takeBack(done.Commit)
  expect(await paths()).toEqual(['b/one.txt', 'b/two.txt'])
})

test('copies, deletions, tags and descriptions are taken back', async () => {
  await put('a/one.txt')
  const one = `${zone}/v1/a/one.txt`
  for (const change of [
    { Action: 'copy', To: `${zone}/v1/b/` },
    { Action: 'delete' },
    { Action: 'tag', Tags: ['x'] },
    { Action: 'set', Metadata: { Title: 'One' } },
  ]) {
    const { Commit } = await bulk({ Paths: [one], ...change })
    expect(await takeBack(Commit, { DryRun: true })).toMatchObject({ Commit: null, DryRun: true })
    expect((await takeBack(Commit)).status).toBe(200)
    expect([await paths(), await tags('one')]).toEqual([['a/one.txt'], []])
  }
})

test('what somebody changed since stays, and so does all else of the commit', async () => {
  await put('a/one.txt')
  await put('a/two.txt')
  const Paths = [`${zone}/v1/a/one.txt`, `${zone}/v1/a/two.txt`]
  const { Commit } = await bulk({ Paths, Action: 'delete' })
  await put('a/two.txt', 'again')
  const refused = await takeBack(Commit)
  expect(refused.status).toBe(409)
  expect(JSON.stringify(refused)).toContain('a/two.txt')
  expect(await paths()).toEqual(['a/two.txt'])
})

test('nobody takes back what is not of files, or of zones out of reach', async () => {
  await put('a/one.txt')
  const { Commit } = await bulk({ Paths: [`${zone}/v1/a/one.txt`], Action: 'delete' })
  const made = await operator('GET', `/api/assets/history?path=${zone}/v1/a/one.txt`)
  const { Versions } = (await made.json()) as { Versions: readonly { Commit: string }[] }
  expect(Versions.at(-1)?.Commit).toBeDefined()
  expect((await takeBack('0'.repeat(40))).status).toBe(404)
  expect((await takeBack('main')).status).toBe(400)
  await service.createZone(`${zone}-other`)
  const stranger = await tenantOf(service, `${zone}-other`)
  expect((await takeBack(Commit, {}, stranger)).status).toBe(404)
  const writer = await tenantOf(service, zone, ['storage:write'])
  expect((await takeBack(Commit, {}, writer)).status).toBe(403)
  const history = await service.core('GET', `zones/${zone}/history`)
  const { Commits } = (await history.json()) as { Commits: readonly { Commit: string }[] }
  expect((await takeBack(Commits.at(-1)?.Commit ?? '')).status).toBe(400)
})
