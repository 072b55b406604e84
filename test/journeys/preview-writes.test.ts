import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

const spring = { 'Sedge-Preview': 'spring' }
const a = 'acme/v1/icons/a.txt'
const b = 'acme/v1/icons/b.txt'

async function openWithPreview(): Promise<InProcessService> {
  const service = await openInProcess()
  for (const zone of ['acme', 'bolt']) await service.createZone(zone)
  await service.storage('PUT', a, { body: 'live' })
  await make(service)
  return service
}

async function make(service: InProcessService, name = 'spring'): Promise<void> {
  const response = await service.core('POST', 'zones/acme/previews', { Name: name })
  expect(response.status).toBe(201)
}

const read = async (service: InProcessService, path: string, headers = {}) => {
  const response = await service.storage('GET', path, { headers })
  return response.status === 200 ? await response.text() : response.status
}

const json = async <T>(response: Promise<Response>): Promise<T> =>
  (await (await response).json()) as T

const showPreview = (service: InProcessService) =>
  json<{ Base: string; Head: string; DateChanged: string }>(
    service.core('GET', 'zones/acme/previews/spring'),
  )

const codeOf = async (response: Promise<Response>) => {
  const { status } = await response
  const { error } = await json<{ error: { code: string } }>(response)
  return [status, error.code]
}

test('what is written to a preview is read of it alone, by header and by parameter', async () => {
  await using service = await openWithPreview()
  const before = await showPreview(service)
  const put = await service.storage('PUT', a, { body: 'preview', headers: spring })
  await service.storage('PUT', `${b}?preview=spring`, { body: 'new' })

  expect(put.status).toBe(201)
  expect(await read(service, a)).toBe('live')
  expect(await read(service, b)).toBe(404)
  expect(await read(service, a, spring)).toBe('preview')
  expect(await read(service, `${b}?preview=spring`)).toBe('new')
  const head = await service.storage('HEAD', a, { headers: spring })
  expect(head.headers.get('content-length')).toBe('7')
  const list = await json<{ ObjectName: string; Checksum: string | null }[]>(
    service.storage('GET', 'acme/v1/icons/', { headers: spring }),
  )
  expect(list.map(({ ObjectName }) => ObjectName)).toEqual(['a.txt', 'b.txt'])
  const after = await showPreview(service)
  expect(after.Base).toBe(before.Base)
  expect(after.Head).not.toBe(before.Head)
})

test('a preview stays as it is while live moves on, and the reverse', async () => {
  await using service = await openWithPreview()
  await service.storage('PUT', b, { body: 'live later' })
  expect(await read(service, b, spring)).toBe(404)
  await service.storage('DELETE', a, { headers: spring })

  expect(await read(service, a, spring)).toBe(404)
  expect(await read(service, a)).toBe('live')
  await service.storage('PUT', a, { body: 'live again' })
  expect(await read(service, a, spring)).toBe(404)
})

test('batches, copies, moves, deletions and metadata are of the preview that is named', async () => {
  await using service = await openWithPreview()
  const post = (path: string, body: object) =>
    service.fetch(`/api/${path}`, {
      method: 'POST',
      headers: { ...access, ...spring },
      body: JSON.stringify(body),
    })
  const files = [{ path: b, content: 'batch', encoding: 'utf-8' }]
  expect((await post('storage/batch', { files })).status).toBe(201)
  const copied = await post('storage/copy', { From: b, To: 'acme/v1/icons/c.txt' })
  expect(copied.status).toBe(201)
  const moved = await post('storage/move', { From: a, To: 'acme/v1/icons/moved.txt' })
  expect(moved.status).toBe(200)
  expect((await post('storage/delete', { Paths: [b] })).status).toBe(200)
  const tagged = await post('assets/bulk', {
    Paths: ['acme/v1/icons/c.txt'],
    Action: 'tag',
    Tags: ['own'],
  })
  expect(tagged.status).toBe(200)
  const described = await service.fetch(
    '/api/assets/metadata?path=acme/v1/icons/c.txt&preview=spring',
    {
      method: 'PATCH',
      headers: access,
      body: JSON.stringify({ Title: 'Own' }),
    },
  )
  expect(await json(Promise.resolve(described))).toMatchObject({
    Metadata: { Title: 'Own', Tags: ['own'] },
  })

  const list = await json<{ ObjectName: string }[]>(
    service.storage('GET', 'acme/v1/icons/', { headers: spring }),
  )
  expect(list.map(({ ObjectName }) => ObjectName)).toEqual(['c.txt', 'moved.txt'])
  expect(await read(service, 'acme/v1/icons/moved.txt', spring)).toBe('live')
  expect(await read(service, a)).toBe('live')
  expect(await read(service, 'acme/v1/icons/c.txt')).toBe(404)
})

test('a preview that is not there is refused, and what is of another zone or of all', async () => {
  await using service = await openWithPreview()
  const other = { 'Sedge-Preview': 'autumn' }
  const batch = (paths: readonly string[]) =>
    service.fetch('/api/storage/batch', {
      method: 'POST',
      headers: { ...access, ...spring },
      body: JSON.stringify({ files: paths.map((path) => ({ path, content: '' })) }),
    })

  expect(await codeOf(service.storage('PUT', a, { body: 'x', headers: other }))).toEqual([
    404,
    'PreviewNotFound',
  ])
  expect(await codeOf(service.storage('GET', a, { headers: other }))).toEqual([
    404,
    'PreviewNotFound',
  ])
  expect(
    await codeOf(service.storage('PUT', 'bolt/v1/icons/a.txt', { body: 'x', headers: spring })),
  ).toEqual([404, 'PreviewNotFound'])
  expect(await codeOf(batch([a, 'bolt/v1/icons/a.txt']))).toEqual([400, 'InvalidParameter'])
  const both = service.storage('PUT', `${a}?preview=autumn`, { body: 'x', headers: spring })
  expect(await codeOf(both)).toEqual([400, 'InvalidParameter'])
  const redirect = service.fetch('/api/storage/move', {
    method: 'POST',
    headers: { ...access, ...spring },
    body: JSON.stringify({ From: a, To: b, Redirect: true }),
  })
  expect(await codeOf(redirect)).toEqual([400, 'InvalidParameter'])
})

test('zones that are suspended, and tokens that do not reach them, write to no preview', async () => {
  await using service = await openWithPreview()
  const bolt = await tenantOf(service, 'bolt')
  expect((await bolt('PUT', `/api/storage/${a}?preview=spring`, 'x')).status).toBe(404)
  const acme = await tenantOf(service, 'acme', ['storage:read'])
  expect((await acme('PUT', `/api/storage/${a}?preview=spring`, 'x')).status).toBe(403)
  await service.core('PATCH', 'zones/acme', { Suspended: true })

  const put = service.storage('PUT', a, { body: 'x', headers: spring })
  expect(await codeOf(put)).toEqual([403, 'ZoneSuspended'])
  await service.core('PATCH', 'zones/acme', { Suspended: false })
  expect((await service.storage('PUT', a, { body: 'x', headers: spring })).status).toBe(201)
})

test('the audit log names the preview, and its time grows with each change', async () => {
  await using service = await openWithPreview()
  await service.storage('PUT', a, { body: 'preview', headers: spring })
  const { Entries } = await json<{ Entries: { action: string; meta: object }[] }>(
    service.core('GET', 'audit-logs?limit=1'),
  )
  const { Head } = await showPreview(service)

  expect(Entries[0]).toMatchObject({ action: 'storage.put', meta: { preview: 'spring' } })
  const { Commits } = await json<{ Commits: { Commit: string }[] }>(
    service.core('GET', 'zones/acme/history'),
  )
  expect(Commits.map(({ Commit }) => Commit)).not.toContain(Head)
})

test('conditions are of what the preview has', async () => {
  await using service = await openWithPreview()
  const put = async (headers: Record<string, string>) =>
    (await service.storage('PUT', b, { body: 'x', headers: { ...spring, ...headers } })).status

  expect(await put({ 'If-None-Match': '*' })).toBe(201)
  expect(await put({ 'If-None-Match': '*' })).toBe(412)
  expect(
    (await service.storage('PUT', b, { body: 'x', headers: { 'If-None-Match': '*' } })).status,
  ).toBe(201)
})

test('an upload in pieces goes to the preview that it was begun for, by both protocols', async () => {
  await using service = await openWithPreview()
  const tus = { 'Tus-Resumable': '1.0.0', ...access }
  const path = Buffer.from(b).toString('base64')
  const begun = await service.fetch('/api/uploads/tus', {
    method: 'POST',
    headers: { ...tus, ...spring, 'Upload-Length': '6', 'Upload-Metadata': `path ${path}` },
  })
  expect(begun.status).toBe(201)
  const location = new URL(begun.headers.get('location') ?? '', 'http://127.0.0.1')
  for (const [offset, body] of [
    [0, 'pie'],
    [3, 'ces'],
  ] as const) {
    const sent = await service.fetch(location.pathname + location.search, {
      method: 'PATCH',
      headers: {
        ...tus,
        'Upload-Offset': `${offset}`,
        'Content-Type': 'application/offset+octet-stream',
      },
      body,
    })
    expect(sent.status).toBe(204)
  }
  expect(await read(service, b, spring)).toBe('pieces')
  expect(await read(service, b)).toBe(404)

  const whole = await service.fetch('/api/uploads?path=acme/v1/icons/d.txt&preview=spring', {
    method: 'POST',
    headers: { ...access, 'Upload-Complete': '?1', 'Upload-Draft-Interop-Version': '8' },
    body: 'whole',
  })
  expect(whole.status).toBe(201)
  expect(await read(service, 'acme/v1/icons/d.txt', spring)).toBe('whole')
  expect(await read(service, 'acme/v1/icons/d.txt')).toBe(404)
  const refused = await service.fetch('/api/uploads/tus', {
    method: 'POST',
    headers: {
      ...tus,
      'Sedge-Preview': 'autumn',
      'Upload-Length': '6',
      'Upload-Metadata': `path ${path}`,
    },
  })
  expect(refused.status).toBe(404)
})

test('a preview of a moment at which its zone was suspended takes writes as the zone does now', async () => {
  await using service = await openWithPreview()
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  const { Commits } = await json<{ Commits: readonly { Commit: string }[] }>(
    service.core('GET', 'zones/acme/history?limit=1'),
  )
  await service.core('PATCH', 'zones/acme', { Suspended: false })
  const From = Commits[0]?.Commit
  const made = await service.core('POST', 'zones/acme/previews', { Name: 'then', From })
  expect(made.status).toBe(201)
  const then = { 'Sedge-Preview': 'then' }

  expect((await service.storage('PUT', b, { body: 'new', headers: then })).status).toBe(201)
  expect((await service.storage('DELETE', a, { headers: then })).status).toBe(200)
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  const refused = service.storage('PUT', b, { body: 'other', headers: then })
  expect(await codeOf(refused)).toEqual([403, 'ZoneSuspended'])
})
