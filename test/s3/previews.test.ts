import { expect, test } from 'bun:test'

import { account } from '../support/service-process.ts'
import { openS3Tenant, refusal } from './s3-tenant.ts'

test('objects of a preview are put, read, listed and deleted by header and by the name of a bucket', async () => {
  await using tenant = await openS3Tenant()
  const { s3, service } = tenant
  await s3.put('acme/docs/a.txt', 'live')
  const made = await fetch(`${service.url}/api/core/zones/acme/previews`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"spring"}',
  })
  expect(made.status).toBe(201)
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
