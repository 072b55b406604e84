import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { type S3Client, signed } from '../support/s3-client.ts'
import { access } from '../support/service-process.ts'
import { md5, openS3Tenant, refusal, type S3Tenant } from './s3-tenant.ts'

let tenant: S3Tenant
let service: S3Tenant['service']
let s3: S3Client

beforeAll(async () => {
  tenant = await openS3Tenant()
  ;({ service, s3 } = tenant)
})

afterAll(() => tenant[Symbol.asyncDispose]())

describe('an object', () => {
  test('comes back as it was put, with what was said of it', async () => {
    const put = await s3.put('acme/docs/a b+ü.txt', 'hello', {
      'content-type': 'text/markdown',
      'cache-control': 'max-age=60',
      'content-disposition': 'attachment; filename="a.txt"',
      'content-encoding': 'aws-chunked,gzip',
      'content-language': 'de',
      expires: 'Thu, 01 Dec 2033 16:00:00 GMT',
      'x-amz-meta-author': 'Zoe',
      'x-amz-meta-mtime': '1700000000.5',
      'x-amz-tagging': 'Stage=in%20use&Owner=me',
    })
    expect(put.status).toBe(200)
    const etag = `"${md5('hello')}"`
    expect(put.headers.get('etag')).toBe(etag)
    const versionId = put.headers.get('x-amz-version-id')
    expect(versionId).toMatch(/^[0-9a-f]{40}$/u)

    const head = await s3.head('acme/docs/a b+ü.txt')
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      etag,
      'content-length': '5',
      'content-type': 'text/markdown',
      'cache-control': 'max-age=60',
      'content-disposition': 'attachment; filename="a.txt"',
      'content-encoding': 'gzip',
      'content-language': 'de',
      expires: 'Thu, 01 Dec 2033 16:00:00 GMT',
      'accept-ranges': 'bytes',
      'x-amz-meta-author': 'Zoe',
      'x-amz-meta-mtime': '1700000000.5',
      'x-amz-tagging-count': '2',
      'x-amz-version-id': versionId ?? '',
    })
    expect(Date.parse(head.headers.get('last-modified') ?? '')).not.toBeNaN()
  })

  test('is written over: what was said before is gone, what persons said stays', async () => {
    await s3.put('acme/logos/c.svg', '<svg/>', { 'x-amz-meta-a': '1', 'x-amz-tagging': 'a=1' })
    await tenant.describe('acme/v1/logos/c.svg', { Title: 'Logo' })
    expect((await s3.head('acme/logos/c.svg')).headers.get('x-amz-meta-a')).toBe('1')

    await s3.put('acme/logos/c.svg', '<svg></svg>')
    const { headers } = await s3.head('acme/logos/c.svg')
    expect(headers.get('x-amz-meta-a')).toBeNull()
    expect(headers.get('x-amz-tagging-count')).toBeNull()
    expect(await tenant.known('acme/v1/logos/c.svg')).toMatchObject({ Metadata: { Title: 'Logo' } })
  })

  test('of the same bytes says what was said last', async () => {
    await s3.put('acme/docs/same.txt', 'same', { 'x-amz-meta-a': '1' })
    const again = await s3.put('acme/docs/same.txt', 'same', { 'x-amz-meta-a': '2' })
    const head = await s3.head('acme/docs/same.txt')
    expect(head.headers.get('x-amz-meta-a')).toBe('2')
    expect(head.headers.get('x-amz-version-id')).toBe(again.headers.get('x-amz-version-id'))
  })

  test('that came by another way has an ETag, too, and loses what S3 said of other bytes', async () => {
    await s3.put('acme/docs/way.txt', 'first', { 'x-amz-meta-a': '1', 'content-encoding': 'gzip' })
    await fetch(`${service.url}/api/storage/acme/v1/docs/way.txt`, {
      method: 'PUT',
      headers: access,
      body: 'second',
    })
    const { headers } = await s3.head('acme/docs/way.txt')
    expect(headers.get('etag')).toBe(`"${md5('second')}"`)
    expect(headers.get('x-amz-meta-a')).toBeNull()
    expect(headers.get('content-encoding')).toBeNull()
  })

  test('is delivered by the edge as soon as it is stored', async () => {
    await s3.put('acme/docs/edge.txt', 'delivered')
    expect(await (await fetch(`${service.url}/acme/v1/docs/edge.txt`)).text()).toBe('delivered')
  })

  test('has metadata in any script, within 2 KB', async () => {
    const text = 'Zoë ж 圖'
    const onTheWire = Buffer.from(text).toString('latin1')
    const asked = { credentials: s3.credentials, origin: service.url, body: 'x' }
    const options = { ...asked, headers: { 'x-amz-meta-name': text } }
    const { url, headers } = signed('PUT', '/acme/docs/script.txt', options)
    const sent = { ...headers, 'x-amz-meta-name': onTheWire }
    expect((await fetch(url, { method: 'PUT', headers: sent, body: 'x' })).status).toBe(200)
    const head = await s3.head('acme/docs/script.txt')
    expect(head.headers.get('x-amz-meta-name')).toBe(onTheWire)
    const long = { 'x-amz-meta-name': 'x'.repeat(2048) }
    expect(await refusal(s3.put('acme/docs/script.txt', 'x', long))).toBe('400 MetadataTooLarge')
  })

  test('shows its checksum to who asks for it', async () => {
    await s3.put('acme/docs/sum.txt', 'hello')
    const { headers } = await s3.get('acme/docs/sum.txt', { 'x-amz-checksum-mode': 'ENABLED' })
    expect(headers.get('x-amz-checksum-sha256')).toBe(
      createHash('sha256').update('hello').digest('base64'),
    )
    expect(headers.get('x-amz-checksum-type')).toBe('FULL_OBJECT')
  })

  test('that a browser would run is boxed in, whatever type is asked for', async () => {
    await s3.put('acme/docs/page.html', '<script>1</script>')
    const html = await s3.get('acme/docs/page.html')
    expect(html.headers.get('content-security-policy')).toContain('sandbox')
    const query = { 'response-content-type': 'text/html' }
    const asked = await s3.send('GET', '/acme/docs/edge.txt', { query })
    expect(asked.headers.get('content-type')).toBe('text/html')
    expect(asked.headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('a write is refused', () => {
  test.each([
    ['a//b', 'InvalidArgument'],
    ['e\u0301.txt', 'InvalidArgument'],
    ['a\u0001b', 'InvalidArgument'],
    ['a\\b', 'InvalidArgument'],
    ['.git/config', 'InvalidArgument'],
    ['docs/a.', 'InvalidArgument'],
    ['docs/.keep', 'InvalidArgument'],
    ['k'.repeat(300), 'InvalidArgument'],
    [`${'abcdefgh/'.repeat(120)}x`, 'KeyTooLongError'],
    [`${'abcdefgh/'.repeat(113)}abc`, 'KeyTooLongError'],
  ])('for the key %j with %s', async (key, code) => {
    const response = await s3.put(`acme/${key}`, 'x')
    const text = await response.text()
    expect([response.status, text]).toEqual([400, expect.stringContaining(`<Code>${code}<`)])
    if (code === 'InvalidArgument') expect(text).toContain('<ArgumentName>key</ArgumentName>')
  })

  test('where the key differs by case alone, or is a directory of others', async () => {
    await s3.put('acme/Case/a.txt', 'x')
    expect(await refusal(s3.put('acme/case/a.txt', 'x'))).toBe('400 InvalidRequest')
    expect(await refusal(s3.put('acme/Case', 'x'))).toBe('400 InvalidRequest')
    expect(await refusal(s3.put('acme/Case/a.txt/b', 'x'))).toBe('400 InvalidRequest')
  })

  test.each([
    [{ 'x-amz-server-side-encryption': 'AES256' }, '501 NotImplemented'],
    [{ 'x-amz-server-side-encryption-customer-algorithm': 'AES256' }, '501 NotImplemented'],
    [{ 'x-amz-object-lock-mode': 'GOVERNANCE' }, '501 NotImplemented'],
    [{ 'x-amz-website-redirect-location': '/x' }, '501 NotImplemented'],
    [{ 'x-amz-storage-class': 'GLACIER' }, '400 InvalidStorageClass'],
    [{ 'x-amz-acl': 'public-read-write' }, '400 AccessControlListNotSupported'],
    [{ 'x-amz-grant-read': 'id=1' }, '400 AccessControlListNotSupported'],
    [{ 'x-amz-tagging': 'a=1&a=2' }, '400 InvalidArgument'],
    [{ 'x-amz-tagging': `${'k'.repeat(129)}=1` }, '400 InvalidTag'],
    [{ 'x-amz-tagging': 'a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&k=2' }, '400 BadRequest'],
  ])('that asks for %j', async (headers, wanted) => {
    expect(await refusal(s3.put('acme/docs/feature.txt', 'x', headers))).toBe(wanted)
    expect((await s3.head('acme/docs/feature.txt')).status).toBe(404)
  })

  test('but not for what changes nothing', async () => {
    for (const list of ['private', 'bucket-owner-full-control', 'public-read'])
      expect((await s3.put('acme/docs/list.txt', 'x', { 'x-amz-acl': list })).status).toBe(200)
    const hidden = s3.put('acme/private/list.txt', 'x', { 'x-amz-acl': 'public-read' })
    expect(await refusal(hidden)).toBe('400 AccessControlListNotSupported')
  })
})

describe('a condition of a write', () => {
  test('is asked of what is stored', async () => {
    const etag = `"${md5('one')}"`
    const put = (body: string, headers: Record<string, string>) =>
      s3.put('acme/docs/condition.txt', body, headers)
    expect(await refusal(put('one', { 'if-match': etag }))).toBe('404 NoSuchKey')
    expect((await put('one', { 'if-none-match': '*' })).status).toBe(200)
    expect(await refusal(put('two', { 'if-none-match': '*' }))).toBe('412 PreconditionFailed')
    expect(await refusal(put('two', { 'if-match': '"other"' }))).toBe('412 PreconditionFailed')
    expect((await put('two', { 'if-match': etag })).status).toBe(200)
    const wrong = s3.send('DELETE', '/acme/docs/condition.txt', { headers: { 'if-match': etag } })
    expect(await refusal(wrong)).toBe('412 PreconditionFailed')
    const right = { headers: { 'if-match': `"${md5('two')}"` } }
    expect((await s3.send('DELETE', '/acme/docs/condition.txt', right)).status).toBe(204)
  })

  test('lets exactly one of many writers win', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        s3.put('acme/docs/race.txt', `writer ${at}`, { 'if-none-match': '*' }),
      ),
    )
    const statuses = results.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)])

    const { headers } = await s3.head('acme/docs/race.txt')
    const match = { 'if-match': headers.get('etag') ?? '' }
    const again = await Promise.all(
      Array.from({ length: 8 }, (_, at) => s3.put('acme/docs/race.txt', `again ${at}`, match)),
    )
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(again.every(({ status }) => status === 200 || status === 412)).toBe(true)
  })
})

describe('a directory marker', () => {
  test('is held to the checksum it is sent with', async () => {
    const wrong = { 'content-md5': Buffer.alloc(16).toString('base64') }
    expect(await refusal(s3.put('acme/checked/', '', wrong))).toBe('400 BadDigest')
    expect((await s3.head('acme/checked/')).status).toBe(404)
  })

  test('is an object without bytes, that no edge sees', async () => {
    const put = await s3.put('acme/photos/2026/', '')
    expect([put.status, put.headers.get('etag')]).toEqual([200, `"${md5('')}"`])
    const head = await s3.head('acme/photos/2026/')
    expect(head.headers.get('content-type')).toBe('application/x-directory')
    expect(head.headers.get('content-length')).toBe('0')
    expect(await (await s3.get('acme/photos/2026/')).text()).toBe('')
    expect((await fetch(`${service.url}/acme/v1/photos/2026/`)).status).toBe(404)
    expect((await s3.put('acme/photos/2026/a.jpg', 'x')).status).toBe(200)
    expect((await s3.delete('acme/photos/2026/')).status).toBe(204)
    expect((await s3.head('acme/photos/2026/')).status).toBe(404)
    expect((await s3.head('acme/photos/2026/a.jpg')).status).toBe(200)
  })

  test('keeps what is said of it, until something else is', async () => {
    const said = { 'x-amz-meta-mode': '16877', 'x-amz-meta-mtime': '1700000000.5' }
    const put = await s3.put('acme/said/dir/', '', { ...said, 'x-amz-tagging': 'a=1' })
    const versionId = put.headers.get('x-amz-version-id') ?? ''
    const first = Object.fromEntries((await s3.head('acme/said/dir/')).headers)
    expect(first).toMatchObject({ ...said, 'x-amz-tagging-count': '1', 'content-length': '0' })

    const changed = await s3.send('PUT', '/acme/said/dir/', {
      headers: {
        'x-amz-copy-source': '/acme/said/dir/',
        'x-amz-metadata-directive': 'REPLACE',
        'x-amz-meta-mode': '16832',
      },
    })
    expect(changed.status).toBe(200)
    const second = await s3.head('acme/said/dir/')
    expect(second.headers.get('x-amz-meta-mode')).toBe('16832')
    expect(second.headers.has('x-amz-meta-mtime')).toBe(false)
    expect(second.headers.get('x-amz-tagging-count')).toBe('1')
    const tagging = { query: { tagging: '' } }
    expect((await s3.send('DELETE', '/acme/said/dir/', tagging)).status).toBe(204)
    const third = await s3.head('acme/said/dir/')
    expect(third.headers.has('x-amz-tagging-count')).toBe(false)
    expect(third.headers.get('x-amz-meta-mode')).toBe('16832')

    await s3.put('acme/said/other/', '', { 'x-amz-copy-source': '/acme/said/dir/' })
    expect((await s3.head('acme/said/other/')).headers.get('x-amz-meta-mode')).toBe('16832')
    const gone = await s3.delete('acme/said/dir/')
    await s3.put('acme/said/dir/', '')
    expect((await s3.head('acme/said/dir/')).headers.has('x-amz-meta-mode')).toBe(false)
    expect(gone.headers.get('x-amz-version-id')).not.toBe(versionId)
  })

  test('has no bytes, and stands where no object does', async () => {
    expect(await refusal(s3.put('acme/photos/x/', 'bytes'))).toBe('400 InvalidArgument')
    await s3.put('acme/photos/file', 'x')
    expect(await refusal(s3.put('acme/photos/file/', ''))).toBe('400 InvalidRequest')
  })

  test('of a directory that each zone begins with is nobody’s until somebody puts it', async () => {
    expect((await s3.head('acme/icons/')).status).toBe(404)
    await s3.put('acme/icons/', '')
    expect((await s3.head('acme/icons/')).status).toBe(200)
    await s3.delete('acme/icons/')
    expect((await s3.head('acme/icons/')).status).toBe(404)
  })
})
