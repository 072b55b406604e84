import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

const spring = { 'Sedge-Preview': 'spring' }
const a = 'acme/v1/icons/a.txt'
const b = 'acme/v1/icons/b.txt'
const c = 'acme/v1/logos/c.txt'

interface Merged {
  readonly Commit: string | null
  readonly Added: number
  readonly Changed: number
  readonly Removed: number
  readonly Paths: Readonly<Record<'Added' | 'Changed' | 'Removed', readonly string[]>>
}

interface Preview extends Pick<Merged, 'Added' | 'Changed' | 'Removed'> {
  readonly Base: string
  readonly Head: string
}

async function openWithPreview(): Promise<InProcessService> {
  const service = await openInProcess()
  for (const zone of ['acme', 'bolt']) await service.createZone(zone)
  for (const path of [a, b]) await put(service, path, 'live')
  expect((await service.core('POST', 'zones/acme/previews', { Name: 'spring' })).status).toBe(201)
  return service
}

/** In the preview where `headers` say so. */
async function put(
  service: InProcessService,
  path: string,
  ...[body, headers = {}]: readonly [string, object?]
) {
  expect((await service.storage('PUT', path, { body, headers: { ...headers } })).status).toBe(201)
}

async function read(service: InProcessService, path: string, headers = {}) {
  const response = await service.storage('GET', path, { headers })
  return response.status === 200 ? await response.text() : response.status
}

const preview = async (service: InProcessService, action = '', body?: object) => {
  const path = `zones/acme/previews/spring${action}`
  return await service.core(body === undefined ? 'GET' : 'POST', path, body)
}

const shown = async (service: InProcessService) =>
  (await (await preview(service)).json()) as Preview

async function merge(service: InProcessService, action: string, body: object = {}) {
  const response = await preview(service, action, body)
  expect({ status: response.status, said: response.ok ? '' : await response.text() }).toEqual({
    status: 200,
    said: '',
  })
  return (await response.json()) as Merged
}

const newest = async (service: InProcessService) => {
  const response = await service.core('GET', 'zones/acme/history?limit=1')
  const { Commits } = (await response.json()) as { Commits: { Commit: string; Subject: string }[] }
  return Commits[0]
}

test('what differs from live is told with both files, and so is what a promotion would do', async () => {
  await using service = await openWithPreview()
  await put(service, a, 'changed', spring)
  await put(service, c, 'new', spring)
  await service.storage('DELETE', b, { headers: spring })
  await put(service, 'acme/v1/icons/elsewhere.txt', 'live alone')
  const differences = await (await preview(service, '/differences')).json()
  const dry = await merge(service, '/promote', { DryRun: true })

  expect(differences).toMatchObject({ Added: 1, Changed: 1, Removed: 1, Count: 3, Conflicts: 0 })
  expect((differences as { Differences: unknown[] }).Differences).toMatchObject([
    {
      Path: a,
      Change: 'changed',
      Before: { Url: `http://127.0.0.1:8788/${a}`, Size: 4 },
      After: { Url: `http://127.0.0.1:8788/@~spring/${a}`, Size: 7 },
    },
    { Path: b, Change: 'removed', After: null },
    { Path: c, Change: 'added', Before: null },
  ])
  const page = await (await preview(service, `/differences?limit=1&after=${a}`)).json()
  expect(page).toMatchObject({ Count: 1, Next: b, Added: 1 })
  expect(dry).toMatchObject({
    Commit: null,
    Paths: { Added: [c], Changed: [a], Removed: [b] },
    DryRun: true,
  })
  expect(await shown(service)).toMatchObject({ Added: 1, Changed: 1, Removed: 1 })
  expect(await read(service, a)).toBe('live')
})

test('assets of a page are told with the open previews in which they are otherwise', async () => {
  await using service = await openWithPreview()
  const asked = async (paths: readonly string[]) => {
    const response = await service.fetch('/api/assets/previews', {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Paths: paths }),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { Previewed: unknown }).Previewed
  }
  expect(await asked([a, b])).toEqual([])
  await put(service, a, 'changed', spring)
  await service.storage('DELETE', b, { headers: spring })
  await service.core('POST', 'zones/acme/previews', { Name: 'untouched' })
  const inSpring = (change: string) => ({ Zone: 'acme', Name: 'spring', Change: change })

  expect(await asked([a, b, c, 'bolt/v1/icons/a.txt'])).toEqual([
    { Path: a, Previews: [inSpring('changed')] },
    { Path: b, Previews: [inSpring('removed')] },
  ])
  await merge(service, '/promote')
  expect(await asked([a, b])).toEqual([])
})

test('a promotion is one commit that merges the preview, which goes on from there', async () => {
  await using service = await openWithPreview()
  await put(service, a, 'changed', spring)
  await put(service, c, 'new', spring)
  await service.storage('DELETE', b, { headers: spring })
  await put(service, 'acme/v1/icons/elsewhere.txt', 'live alone')
  const { Head } = await shown(service)
  const done = await merge(service, '/promote')

  expect(done).toMatchObject({ Added: 1, Changed: 1, Removed: 1 })
  expect(await newest(service)).toMatchObject({
    Commit: done.Commit,
    Subject: 'Promote preview spring of acme',
  })
  expect([await read(service, a), await read(service, b), await read(service, c)]).toEqual([
    'changed',
    404,
    'new',
  ])
  expect(await (await service.fetch(`/${c}`)).text()).toBe('new')
  expect(await read(service, 'acme/v1/icons/elsewhere.txt')).toBe('live alone')
  const after = await shown(service)
  expect(after).toMatchObject({ Base: done.Commit, Added: 0, Changed: 0, Removed: 0 })
  expect(await read(service, 'acme/v1/icons/elsewhere.txt', spring)).toBe('live alone')
  expect(after.Head).not.toBe(Head)
  expect((await merge(service, '/promote')).Commit).toBeNull()
  await put(service, a, 'and again', spring)
  expect(await merge(service, '/promote', { Delete: true })).toMatchObject({ Changed: 1 })
  expect((await preview(service)).status).toBe(404)
  expect(await read(service, a)).toBe('and again')
})

test('what both changed is told, and nothing is done', async () => {
  await using service = await openWithPreview()
  await put(service, a, 'preview', spring)
  await put(service, b, 'the same', spring)
  await put(service, c, 'new', spring)
  await put(service, a, 'live later')
  await put(service, b, 'the same')
  const before = await newest(service)
  for (const action of ['/promote', '/update']) {
    const refused = await preview(service, action, {})
    const said = (await refused.json()) as { error: { code: string }; Conflicts?: unknown }
    expect([refused.status, said.error.code]).toEqual([409, 'PreviewConflict'])
    expect(JSON.stringify(said)).toContain(a)
    expect(JSON.stringify(said)).not.toContain(b)
  }
  expect(await newest(service)).toEqual(before)
  expect(await read(service, c)).toBe(404)

  const some = await merge(service, '/promote', { Paths: ['v1/logos'] })
  expect(some.Paths.Added).toEqual([c])
  expect(await read(service, a)).toBe('live later')
  await put(service, a, 'live later', spring)
  expect(await merge(service, '/promote')).toMatchObject({ Commit: null })
})

test('an update brings into the preview what live changed, and keeps its own', async () => {
  await using service = await openWithPreview()
  await put(service, a, 'own', spring)
  await put(service, b, 'live later')
  await service.storage('PUT', c, { body: 'typed', headers: { 'Content-Type': 'text/x-own' } })
  const updated = await merge(service, '/update')

  expect(updated.Paths).toEqual({ Added: [c], Changed: [b], Removed: [] })
  expect(await read(service, a, spring)).toBe('own')
  expect(await read(service, b, spring)).toBe('live later')
  const typed = await service.storage('GET', c, { headers: spring })
  expect(typed.headers.get('content-type')).toBe('text/x-own')
  expect(await read(service, a)).toBe('live')
  expect(await shown(service)).toMatchObject({ Added: 0, Changed: 1, Removed: 0 })
  expect(await merge(service, '/update')).toMatchObject({ Commit: null, Added: 0, Changed: 0 })
})

test('what is known of files, and the types they are declared to have, become live with them', async () => {
  await using service = await openWithPreview()
  const describe = (path: string, body: object, query = '') =>
    service.fetch(`/api/assets/metadata?path=${path}${query}`, {
      method: 'PATCH',
      headers: access,
      body: JSON.stringify(body),
    })
  await describe(a, { Title: 'Live', Tags: ['one'] })
  await merge(service, '/update')
  await describe(a, { Alt: { en: 'Own' } }, '&preview=spring')
  await describe(a, { Tags: ['one', 'two'] })
  const retyped = { ...spring, 'Content-Type': 'text/x-own' }
  await service.storage('PUT', b, { body: 'live', headers: retyped })
  const done = await merge(service, '/promote')

  expect(done.Paths.Changed.toSorted()).toEqual([a, b])
  const response = await service.fetch(`/api/assets/metadata?path=${a}`, { headers: access })
  const { Metadata } = (await response.json()) as { Metadata: object }
  expect(Metadata).toMatchObject({ Title: 'Live', Alt: { en: 'Own' }, Tags: ['one', 'two'] })
  const typed = await service.storage('HEAD', b)
  expect(typed.headers.get('content-type')).toBe('text/x-own')
})

test('of two promotions at once one does it, and the other finds nothing left', async () => {
  await using service = await openWithPreview()
  for (const name of ['one', 'two', 'three'])
    await put(service, `acme/v1/icons/${name}`, name, spring)
  const all = await Promise.all([1, 2, 3].map(() => merge(service, '/promote')))

  expect(all.filter(({ Commit }) => Commit !== null)).toHaveLength(1)
  expect(all.reduce((sum, { Added }) => sum + Added, 0)).toBe(3)
  expect(await read(service, 'acme/v1/icons/three')).toBe('three')
})

test('a suspended zone takes no promotion', async () => {
  await using service = await openWithPreview()
  await put(service, a, 'own', spring)
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  for (const action of ['/promote', '/update'])
    expect((await preview(service, action, {})).status).toBe(403)
})
