import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { have, python } from '../support/needs.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { type Tenant, tenantOf } from '../support/tenant.ts'

const canRead = have('archives as others read them', python)
const undo = new AsyncDisposableStack()
let service: InProcessService
let directory = ''

const files: Readonly<Record<string, string>> = {
  'acme/v1/campaigns/2026/größe ☀.svg': '<svg/>'.repeat(100),
  'acme/v1/campaigns/2026/photo.jpg': 'jpeg bytes',
  'acme/v1/campaigns/brief.txt': '',
  'other/v1/secret.txt': 'of somebody else',
}

beforeAll(async () => {
  service = undo.use(await openInProcess())
  directory = undo.use(await temporaryDirectory()).path
  for (const zone of ['acme', 'other']) await service.createZone(zone)
  for (const [path, body] of Object.entries(files))
    await service.storage('PUT', encodeURI(path), { body })
}, 30_000)
afterAll(() => undo.disposeAsync())

const operator: Tenant = (method, path, body) =>
  service.fetch(path, { method, headers: access, body: JSON.stringify(body) })

// oxlint-disable-next-line typescript/no-explicit-any -- what is expected of it says what it is
async function prepare(body: object, ask = operator): Promise<any> {
  const response = await ask('POST', '/api/assets/archive', body)
  return { status: response.status, ...((await response.json()) as object) }
}

const fetchAt = (url: string, method = 'GET') => service.fetch(new URL(url).pathname, { method })

/** Names and texts, as Python reads them; it checks each checksum. */
async function contentsOf(bytes: ArrayBuffer): Promise<Readonly<Record<string, string>>> {
  const path = join(directory, 'archive.zip')
  await Bun.write(path, bytes)
  const script = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps({name: archive.read(name).decode() for name in archive.namelist()}))`
  const { stdout, stderr } = Bun.spawnSync(['python3', '-c', script, path])
  expect(stderr.toString()).toBe('')
  return JSON.parse(stdout.toString()) as Record<string, string>
}

test.skipIf(!canRead)('a folder is one file, with the names below what all are in', async () => {
  const made = await prepare({ Paths: ['acme/v1/campaigns/'] })
  expect(made).toMatchObject({ status: 201, Files: 3, Bytes: 610, Name: 'campaigns.zip' })
  const response = await fetchAt(made.Url)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toContain('filename="campaigns.zip"')
  expect(await contentsOf(await response.arrayBuffer())).toEqual({
    '2026/größe ☀.svg': '<svg/>'.repeat(100),
    '2026/photo.jpg': 'jpeg bytes',
    'brief.txt': '',
  })
})

test('it is there once, and as long as nobody has fetched it', async () => {
  const { Url } = await prepare({ Filter: 'folder=acme&format=jpg', Name: 'photos' })
  const head = await fetchAt(Url, 'HEAD')
  const response = await fetchAt(Url)
  const bytes = await response.arrayBuffer()
  // What is compressed already is stored, so that its length is known before.
  expect(head.headers.get('content-length')).toBe(String(bytes.byteLength))
  expect((await fetchAt(Url)).status).toBe(404)
})

test('it has what the caller reaches, and nothing else', async () => {
  const ask = await tenantOf(service, 'acme', ['storage:read'])
  expect((await prepare({ Paths: ['other/v1/secret.txt'] }, ask)).status).toBe(404)
  expect((await prepare({ Filter: 'q=secret' }, ask)).status).toBe(404)
  expect((await prepare({ Filter: 'q=v1' }, ask)).Files).toBe(3)
  expect((await prepare({ Paths: ['acme/v1/nothing.txt'] })).status).toBe(404)
  expect((await prepare({ Paths: ['acme/v1/campaigns'] })).status).toBe(404)
  const writer = await tenantOf(service, 'acme', ['storage:write'])
  expect((await prepare({ Filter: 'folder=acme' }, writer)).status).toBe(403)
})

test('what was asked for is what one gets, whatever is stored meanwhile', async () => {
  await service.storage('PUT', 'acme/v1/later/a.jpg', { body: 'before' })
  const { Url } = await prepare({ Paths: ['acme/v1/later/a.jpg'] })
  await service.storage('PUT', 'acme/v1/later/a.jpg', { body: 'after' })
  expect(await (await fetchAt(Url)).text()).toContain('before')
})
