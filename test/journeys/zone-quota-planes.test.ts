import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { git as anyGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { createS3Client, type S3Client, s3KeyFrom } from '../support/s3-client.ts'
import { account, startService, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { runSedge } from '../support/terminal.ts'
import { tus } from '../support/tus-pieces.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'
import { photoPainter, painted } from '../fixtures/sample-images.ts'

const limitMs = 120_000
const undo = new AsyncDisposableStack()
let service: LocalService
let directory: string
let s3: S3Client

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  const dataDirectory = join(directory, 'data')
  service = undo.use(await openLocalService({ dataDirectory, environment }))
  const world = worldOf(service)
  for (const zone of ['acme', 'bolt', 'gitty', 'tussy']) await world.zone(zone)
  const send = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init)
  const credentials = await s3KeyFrom(send, { zones: ['acme', 'bolt'] })
  s3 = createS3Client({ send, origin: service.url, credentials })
}, limitMs)

afterAll(() => undo.disposeAsync())

const bound = (zone: string, body: object, { url }: { readonly url: string } = service) =>
  fetch(`${url}/api/core/zones/${zone}/quotas`, {
    method: 'PUT',
    headers: account,
    body: JSON.stringify(body),
  })

test(
  'clients of S3 are told QuotaExceeded, however they write',
  async () => {
    await bound('acme', { Quotas: { bytes: 10 } })
    expect((await s3.put('acme/a.txt', '12345678')).status).toBe(200)
    expect((await s3.put('bolt/b.txt', '12345678')).status).toBe(200)

    const put = await s3.put('acme/b.txt', '123')
    expect([put.status, await put.text()]).toEqual([
      403,
      expect.stringContaining('<Code>QuotaExceeded</Code>'),
    ])
    const copied = { 'x-amz-copy-source': '/bolt/b.txt' }
    const copy = await s3.put('acme/c.txt', '', copied)
    expect([copy.status, await copy.text()]).toEqual([
      403,
      expect.stringContaining('QuotaExceeded'),
    ])
    const begun = await s3.send('POST', '/acme/d.txt', { query: { uploads: '' } })
    const id = /<UploadId>(.*?)</u.exec(await begun.text())?.[1] ?? ''
    const part = await s3.send('PUT', '/acme/d.txt', {
      query: { partNumber: '1', uploadId: id },
      body: '12345',
    })
    const tag = part.headers.get('etag') ?? ''
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${tag}</ETag></Part></CompleteMultipartUpload>`
    const completed = await s3.send('POST', '/acme/d.txt', { query: { uploadId: id }, body })
    expect(await completed.text()).toContain('QuotaExceeded')
    expect((await s3.head('acme/d.txt')).status).toBe(404)
  },
  limitMs,
)

test(
  'a push that would be too much is refused whole, and says which quota',
  async () => {
    await bound('gitty', { Quotas: { files: 1 } })
    const work = join(directory, 'work')
    const url = `${service.url.replace('://', `://x:${testKeys.ACCOUNT_KEY}@`)}/git/gitty.git`
    const git = (...args: readonly string[]) => anyGit(work, args, { HOME: directory })
    await Bun.write(join(work, '.keep'), '')
    await git('clone', '-q', url, 'clone')
    const clone = join(work, 'clone')
    const inside = (...args: readonly string[]) => anyGit(clone, args, { HOME: directory })
    for (const name of ['a.txt', 'b.txt']) await Bun.write(join(clone, 'v1', name), name)
    await inside('add', '.')
    await inside('commit', '-q', '-m', 'Add two')
    const refused = await inside('push', '-q')
    expect(refused.exitCode).not.toBe(0)
    expect(refused.errors).toContain('quota "files"')
    expect((await fetch(`${service.url}/gitty/v1/a.txt`)).status).toBe(404)

    await bound('gitty', { Quotas: { files: 2 } })
    expect((await inside('push', '-q')).exitCode).toBe(0)
    expect((await fetch(`${service.url}/gitty/v1/b.txt`)).status).toBe(200)
  },
  limitMs,
)

test(
  'a resumable upload is refused before its bytes arrive, or at its end where it had no size, and clients do not repeat it',
  async () => {
    await bound('tussy', { Quotas: { bytes: 3 } })
    const begin = (fields: Readonly<Record<string, string>>) =>
      fetch(`${service.url}/api/uploads/tus`, {
        method: 'POST',
        headers: { ...tus, 'Upload-Metadata': `path ${btoa('tussy/v1/a.txt')}`, ...fields },
      })
    const refused = await begin({ 'Upload-Length': '4' })
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ HttpCode: 403, Limit: 3, Used: 0 }),
    ])

    const begun = await begin({ 'Upload-Defer-Length': '1' })
    const path = begun.headers.get('location') ?? ''
    const sent = await fetch(`${service.url}${path}`, {
      method: 'PATCH',
      headers: {
        ...tus,
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': '0',
        'Upload-Length': '4',
      },
      body: '1234',
    })
    expect(sent.status).toBe(403)
    expect((await fetch(`${service.url}/tussy/v1/a.txt`)).status).toBe(404)
  },
  limitMs,
)

test(
  'the command shows and changes quotas, in units that people write',
  async () => {
    const environment = { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory }
    const sedge = (...words: string[]) => runSedge(['quotas', ...words], { environment })
    const changed = await sedge('bolt', 'bytes=50GB', 'files=none', '--when-used-up', 'cut')
    expect([changed.exitCode, changed.error]).toEqual([0, ''])
    expect(changed.out).toMatch(/^files +1 +none +this zone$/mu)
    expect(changed.out).toContain('When delivery is used up: cut. Now it is whole.')
    expect((await sedge('bolt', 'bytes=lots')).exitCode).toBe(2)
    expect((await sedge('bolt', 'nothing=1')).exitCode).not.toBe(0)
  },
  limitMs,
)

test(
  'whatever a kill interrupts, a zone has no more than it may, and goes on from what it had',
  async () => {
    await using own = await temporaryDirectory()
    const options = { dataDirectory: own.path, environment: { ZONE_QUOTAS: 'files=20 uploads=30' } }
    let running = await startService(options)
    await worldOf(running).zone('acme')
    for (const round of [1, 2, 3]) {
      const put = (index: number) =>
        fetch(`${running.url}/api/storage/acme/v1/${round}-${index}.txt`, {
          method: 'PUT',
          headers: { AccessKey: testKeys.ACCESS_KEY },
          body: 'x',
        }).then(
          ({ status }) => status,
          () => 0,
        )
      const puts = Array.from({ length: 15 }, (_, index) => put(index))
      await Promise.race(puts)
      await running.kill()
      await Promise.all(puts)
      running = await startService(options)
      const { client } = worldOf(running)
      const shown = await client.getZoneQuotas({ id: 'acme' })
      const used = new Map(shown.Quotas.map(({ Name, Used }) => [Name, Used]))
      expect(used.get('files')).toBeLessThanOrEqual(20)
      expect(used.get('uploads')).toBe(used.get('files') ?? -1)
    }
    await running.stop()
  },
  limitMs,
)

test(
  'an edge elsewhere degrades and cuts as the service does, and is whole again with it',
  async () => {
    await using own = await temporaryDirectory()
    await using origin = await startService({ dataDirectory: join(own.path, 'origin') })
    const world = worldOf(origin)
    await world.zone('acme')
    const image = await painted({ width: 300, height: 200 }, photoPainter(3)).jpeg().toBuffer()
    await world.put('acme/v1/a.jpg', new Uint8Array(image))
    const token = await edgeTokenOf(origin.url)
    const name = 'near'
    await using edge = await startEdge({
      origin: origin.url,
      token,
      name,
      directory: join(own.path, name),
    })
    const ask = async (path: string) => {
      const response = await fetch(`${edge.url}${path}`)
      await response.bytes()
      return `${response.status} ${response.headers.get('content-type')}`
    }
    let width = 40
    const fresh = () => ask(`/api/transform?url=acme/v1/a.jpg&format=webp&w=${(width += 1)}`)

    await until(async () => (await fresh()) === '200 image/webp')
    await bound('acme', { Quotas: { 'new-variants': 0 } }, origin)
    await until(async () => (await fresh()) === '200 image/jpeg')
    expect(await ask('/acme/v1/a.jpg')).toBe('200 image/jpeg')
    await bound(
      'acme',
      { Quotas: { 'new-variants': null, requests: 0 }, WhenUsedUp: 'cut' },
      origin,
    )
    await until(async () => (await ask('/acme/v1/a.jpg')).startsWith('429'))
    expect(await fresh()).toStartWith('429')
    await bound('acme', { Quotas: { requests: null } }, origin)
    await until(async () => (await fresh()) === '200 image/webp')
  },
  limitMs,
)
