import { expect, test } from 'bun:test'

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
  expect(await refusal(s3.send('GET', '/spring--acme', { query: { versions: '' } }))).toBe(
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
