import { expect, test } from 'bun:test'

import { openS3Client } from '../support/s3-client.ts'
import { account } from '../support/service-process.ts'
import { md5, openS3Tenant, refusal, type S3Tenant } from './s3-tenant.ts'

const makePreview = async ({ service }: S3Tenant, zone = 'acme') => {
  const made = await fetch(`${service.url}/api/core/zones/${zone}/previews`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"spring"}',
  })
  expect(made.status).toBe(201)
}

const removePreview = ({ service }: S3Tenant) =>
  fetch(`${service.url}/api/core/zones/acme/previews/spring`, {
    method: 'DELETE',
    headers: account,
  })

/** What the first element of a name has. */
const elementOf = (document: string, name: string) =>
  new RegExp(`<${name}>([^<]*)<`, 'u').exec(document)?.[1] ?? ''

const begin = async ({ s3 }: S3Tenant, path: string) =>
  elementOf(await (await s3.send('POST', path, { query: { uploads: '' } })).text(), 'UploadId')

const completion = (...parts: readonly string[]) =>
  `<CompleteMultipartUpload>${parts
    .map((part, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${md5(part)}</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`

test('objects of a preview are put, read, listed and deleted by header and by the name of a bucket', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  await s3.put('acme/docs/a.txt', 'live')
  await makePreview(tenant)
  const spring = { 'sedge-preview': 'spring' }
  expect((await s3.put('acme/docs/a.txt', 'preview', spring)).status).toBe(200)
  expect((await s3.put('spring--acme/docs/b.txt', 'new')).status).toBe(200)

  expect(await (await s3.get('acme/docs/a.txt')).text()).toBe('live')
  expect(await (await s3.get('spring--acme/docs/a.txt')).text()).toBe('preview')
  expect(await refusal(s3.get('acme/docs/b.txt'))).toBe('404 NoSuchKey')
  const listed = await (
    await s3.send('GET', '/spring--acme', { query: { 'list-type': '2', prefix: 'docs/' } })
  ).text()
  expect(listed).toContain('<Key>docs/b.txt</Key>')
  expect((await s3.delete('spring--acme/docs/a.txt')).status).toBe(204)
  expect(await refusal(s3.get('spring--acme/docs/a.txt'))).toBe('404 NoSuchKey')
  expect(await refusal(s3.get('autumn--acme/docs/a.txt'))).toBe('404 NoSuchBucket')
  expect(await refusal(s3.send('GET', '/spring--acme', { query: { policyStatus: '' } }))).toBe(
    '200 ',
  )
  expect(await refusal(s3.send('GET', '/spring--acme', { query: { cors: '' } }))).toBe(
    '501 NotImplemented',
  )
  const versionId = (await s3.head('acme/docs/a.txt')).headers.get('x-amz-version-id') ?? ''
  const body = `<Delete><Object><Key>docs/a.txt</Key><VersionId>${versionId}</VersionId></Object></Delete>`
  const many = await s3.send('POST', '/spring--acme', { query: { delete: '' }, body })
  expect(await many.text()).toContain('<Code>NotImplemented</Code>')
  expect(await (await s3.get('acme/docs/a.txt')).text()).toBe('live')
  const anonymous = await tenant.anonymously('spring--acme/docs/b.txt')
  expect(anonymous.status).toBe(403)
})

test('objects of a preview come in parts, and what is live sees neither them nor the upload', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  await makePreview(tenant)
  const path = '/spring--acme/docs/parts.bin'
  const uploadId = await begin(tenant, path)
  const parts = ['x'.repeat(5 * 2 ** 20), 'end']
  for (const [at, body] of parts.entries()) {
    const query = { partNumber: String(at + 1), uploadId }
    expect((await s3.send('PUT', path, { query, body })).status).toBe(200)
  }
  const listed = await (await s3.send('GET', path, { query: { uploadId } })).text()
  expect(listed.match(/<PartNumber>/gu)).toHaveLength(2)
  const uploadsOf = async (bucket: string) =>
    elementOf(await (await s3.send('GET', bucket, { query: { uploads: '' } })).text(), 'UploadId')
  expect(await uploadsOf('/spring--acme')).toBe(uploadId)
  expect(await uploadsOf('/acme')).toBe('')
  const complete = { query: { uploadId }, body: completion(...parts) }
  for (const [method, options] of [
    ['POST', complete],
    ['GET', { query: { uploadId } }],
    ['DELETE', { query: { uploadId } }],
    ['PUT', { query: { uploadId, partNumber: '1' }, body: 'live' }],
  ] as const)
    expect(await refusal(s3.send(method, '/acme/docs/parts.bin', options))).toBe('404 NoSuchUpload')

  const completed = await (await s3.send('POST', path, complete)).text()
  expect(elementOf(completed, 'ETag')).toEndWith('-2&quot;')
  expect(await (await s3.send('POST', path, complete)).text()).toBe(completed)
  expect(await (await s3.get('spring--acme/docs/parts.bin')).text()).toBe(parts.join(''))
  expect(await refusal(s3.get('acme/docs/parts.bin'))).toBe('404 NoSuchKey')
  expect((await s3.send('HEAD', '/spring--acme')).status).toBe(200)
  expect((await s3.send('HEAD', '/autumn--acme')).status).toBe(404)
})

test('an upload in parts ends with its preview, and is none of a later one of its name', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  await makePreview(tenant)
  const path = '/spring--acme/docs/parts.bin'
  const given = await begin(tenant, path)
  expect((await s3.send('DELETE', path, { query: { uploadId: given } })).status).toBe(204)
  const uploadId = await begin(tenant, path)
  const part = { query: { partNumber: '1', uploadId }, body: 'part' }
  expect((await s3.send('PUT', path, part)).status).toBe(200)
  expect(
    await refusal(s3.send('PUT', path, { ...part, query: { ...part.query, uploadId: given } })),
  ).toBe('404 NoSuchUpload')
  const complete = { query: { uploadId }, body: completion('part') }
  expect((await removePreview(tenant)).ok).toBe(true)
  expect(await refusal(s3.send('POST', path, complete))).toBe('404 NoSuchBucket')
  await makePreview(tenant)
  expect(await refusal(s3.send('POST', path, complete))).toBe('404 NoSuchUpload')
  expect(await refusal(s3.get('spring--acme/docs/parts.bin'))).toBe('404 NoSuchKey')
})

test('objects are copied within a preview, to it from what is live, and from it to what is live', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  const large = 'live '.repeat(200_000)
  await s3.put('acme/docs/a.txt', large, { 'x-amz-meta-author': 'Ines' })
  await makePreview(tenant)
  await s3.put('spring--acme/docs/a.txt', 'preview', { 'x-amz-meta-author': 'Jo' })
  await s3.put('acme/docs/later.txt', 'later')
  const copy = (to: string, from: string, headers = {}) =>
    s3.put(to, '', { 'x-amz-copy-source': from, ...headers })
  const textOf = async (object: string) => await (await s3.get(object)).text()

  expect((await copy('spring--acme/docs/b.txt', 'spring--acme/docs/a.txt')).status).toBe(200)
  const byHeader = await copy('acme/docs/c.txt', 'acme/docs/a.txt', { 'sedge-preview': 'spring' })
  expect(byHeader.status).toBe(200)
  for (const name of ['b', 'c']) {
    expect(await textOf(`spring--acme/docs/${name}.txt`)).toBe('preview')
    expect(await refusal(s3.get(`acme/docs/${name}.txt`))).toBe('404 NoSuchKey')
  }
  expect((await copy('acme/docs/d.txt', 'spring--acme/docs/a.txt')).status).toBe(200)
  expect((await s3.head('acme/docs/d.txt')).headers.get('x-amz-meta-author')).toBe('Jo')
  expect((await copy('spring--acme/docs/later.txt', 'acme/docs/later.txt')).status).toBe(200)
  expect((await copy('spring--acme/docs/a.txt', 'acme/docs/a.txt')).status).toBe(200)
  expect((await s3.head('spring--acme/docs/a.txt')).headers.get('x-amz-meta-author')).toBe('Ines')
  expect(await refusal(copy('acme/docs/e.txt', 'spring--acme/docs/none.txt'))).toBe('404 NoSuchKey')
  expect(await refusal(copy('acme/docs/e.txt', 'autumn--acme/docs/a.txt'))).toBe('404 NoSuchBucket')

  const uploadId = await begin(tenant, '/spring--acme/docs/parts.txt')
  const copied = await s3.send('PUT', '/spring--acme/docs/parts.txt', {
    query: { uploadId, partNumber: '1' },
    headers: { 'x-amz-copy-source': 'acme/docs/a.txt', 'x-amz-copy-source-range': 'bytes=0-3' },
  })
  expect(copied.status).toBe(200)
  const completed = { query: { uploadId }, body: completion('live') }
  expect((await s3.send('POST', '/spring--acme/docs/parts.txt', completed)).status).toBe(200)
  expect(await textOf('spring--acme/docs/parts.txt')).toBe('live')
  expect(await textOf('spring--acme/docs/a.txt')).toBe(large)
  expect((await removePreview(tenant)).ok).toBe(true)
  expect(await textOf('acme/docs/d.txt')).toBe('preview')
})

test('a key that does not reach a zone, or may only write, copies nothing of its previews', async () => {
  await using tenant = await openS3Tenant()
  await makePreview(tenant)
  await tenant.s3.put('spring--acme/docs/a.txt', 'preview')
  const from = { 'x-amz-copy-source': 'spring--acme/docs/a.txt' }
  const stranger = await openS3Client(tenant.service, { zones: ['other'] })
  expect(await refusal(stranger.put('other/a.txt', '', from))).toBe('403 AccessDenied')
  const writer = await openS3Client(tenant.service, { scopes: ['storage:write'] })
  expect(await refusal(writer.put('other/a.txt', '', from))).toBe('403 AccessDenied')
})

test('objects of a preview have tags of their own', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  await s3.put('acme/a.txt', 'same', { 'x-amz-tagging': 'stage=live' })
  await makePreview(tenant)
  const tags = async (bucket: string) =>
    await (await s3.send('GET', `/${bucket}/a.txt`, { query: { tagging: '' } })).text()
  expect(await tags('spring--acme')).toContain('<Value>live</Value>')
  const body = '<Tagging><TagSet><Tag><Key>stage</Key><Value>draft</Value></Tag></TagSet></Tagging>'
  const put = await s3.send('PUT', '/spring--acme/a.txt', { query: { tagging: '' }, body })
  expect(put.status).toBe(200)
  expect(await tags('spring--acme')).toContain('<Value>draft</Value>')
  expect(await tags('acme')).toContain('<Value>live</Value>')
  expect((await s3.delete('spring--acme/a.txt', { tagging: '' })).status).toBe(204)
  expect(await tags('spring--acme')).not.toContain('<Value>')
  const headers = { 'x-amz-object-attributes': 'ObjectSize' }
  const attributes = { query: { attributes: '' }, headers }
  expect(await (await s3.send('GET', '/spring--acme/a.txt', attributes)).text()).toContain(
    '<ObjectSize>4</ObjectSize>',
  )
})

test('a preview is a bucket without versions: each object has one, which is called null', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  for (const name of ['a', 'b', 'c']) await s3.put(`acme/${name}.txt`, 'live')
  await makePreview(tenant)
  const written = await s3.put('spring--acme/a.txt', 'preview')
  expect(written.headers.has('x-amz-version-id')).toBe(false)
  const gone = await s3.delete('spring--acme/c.txt')
  expect(gone.headers.has('x-amz-delete-marker')).toBe(false)
  const list = async (query = {}) =>
    await (await s3.send('GET', '/spring--acme', { query: { versions: '', ...query } })).text()
  const all = await list()
  expect(all.match(/<VersionId>null<[/]VersionId><IsLatest>true</gu)).toHaveLength(2)
  expect(all).not.toContain('<DeleteMarker>')
  const first = await list({ 'max-keys': '1' })
  expect(elementOf(first, 'NextVersionIdMarker')).toBe('null')
  const rest = await list({
    'key-marker': elementOf(first, 'NextKeyMarker'),
    'version-id-marker': 'null',
  })
  expect(elementOf(rest, 'Key')).toBe('b.txt')
  const versioning = await s3.send('GET', '/spring--acme', { query: { versioning: '' } })
  expect(await versioning.text()).not.toContain('<Status>')

  const only = { query: { versionId: 'null' } }
  expect(await (await s3.send('GET', '/spring--acme/a.txt', only)).text()).toBe('preview')
  const copied = await s3.put('acme/d.txt', '', {
    'x-amz-copy-source': 'spring--acme/a.txt?versionId=null',
  })
  expect(copied.headers.has('x-amz-version-id')).toBe(true)
  expect(copied.headers.has('x-amz-copy-source-version-id')).toBe(false)
  expect((await s3.delete('spring--acme/a.txt', { versionId: 'null' })).status).toBe(204)
  const body = '<Delete><Object><Key>b.txt</Key><VersionId>null</VersionId></Object></Delete>'
  const many = await (
    await s3.send('POST', '/spring--acme', { query: { delete: '' }, body })
  ).text()
  expect(many).toContain('<Deleted><Key>b.txt</Key></Deleted>')
  expect(await list()).not.toContain('<Version>')
  expect(
    await refusal(s3.send('GET', '/spring--acme/a.txt', { query: { versionId: 'a'.repeat(40) } })),
  ).toBe('501 NotImplemented')
  expect(await (await s3.get('acme/a.txt')).text()).toBe('live')
})

test('directories that are objects are listed as the preview has them, not as they are live', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  for (const name of ['kept', 'left']) await s3.put(`acme/${name}/`, '')
  await makePreview(tenant)
  await s3.delete('acme/kept/')
  await s3.put('acme/later/', '')
  const keys = async () => {
    const listed = await s3.send('GET', '/spring--acme', { query: { 'list-type': '2' } })
    return [...(await listed.text()).matchAll(/<Key>([^<]*[/])</gu)].map(([, key]) => key)
  }
  expect(await keys()).toEqual(['kept/', 'left/'])
  expect((await s3.head('spring--acme/kept/')).status).toBe(200)
  await s3.put('spring--acme/new/', '')
  await s3.delete('spring--acme/left/')
  expect(await keys()).toEqual(['kept/', 'new/'])
})
