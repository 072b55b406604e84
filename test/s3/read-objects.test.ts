import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type S3Client } from '../support/s3-client.ts'
import { account } from '../support/service-process.ts'
import { md5, openS3Tenant, refusal, type S3Tenant } from './s3-tenant.ts'

let tenant: S3Tenant
let service: S3Tenant['service']
let s3: S3Client

beforeAll(async () => {
  tenant = await openS3Tenant()
  ;({ service, s3 } = tenant)
})

afterAll(() => tenant[Symbol.asyncDispose]())

describe('a read', () => {
  beforeAll(() => s3.put('acme/docs/read.txt', 'hello'))

  test('of what is not there says so', async () => {
    expect(await refusal(s3.get('acme/docs/absent.txt'))).toBe('404 NoSuchKey')
    expect((await s3.head('acme/docs/absent.txt')).status).toBe(404)
    expect(await refusal(s3.get('nowhere/a.txt'))).toBe('404 NoSuchBucket')
    for (const key of ['a//b', 'a/../b', '.git/config', 'e\u0301.txt', 'a\u0001', 'docs.', '/a'])
      expect(await refusal(s3.get(`acme/${key}`))).toBe('404 NoSuchKey')
  })

  test.each([
    ['bytes=0-1', 206, 'he', 'bytes 0-1/5'],
    ['bytes=1-', 206, 'ello', 'bytes 1-4/5'],
    ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=3-99', 206, 'lo', 'bytes 3-4/5'],
    ['bytes=0-0,2-2', 200, 'hello', null],
    ['lines=1-2', 200, 'hello', null],
  ] as const)('of %s is %d %s', async (...row) => {
    const [range, status, text, contentRange] = row
    const response = await s3.get('acme/docs/read.txt', { range })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(await response.text()).toBe(text)
  })

  test('says the checksum of what it sends, and not where it sends a part of that or nothing', async () => {
    const ask = async (headers: Record<string, string>) => {
      const response = await s3.get('acme/docs/read.txt', {
        'x-amz-checksum-mode': 'ENABLED',
        ...headers,
      })
      const names = [...response.headers.keys()].filter((name) => name.includes('checksum'))
      return [response.status, names.length > 0]
    }
    expect(await ask({})).toEqual([200, true])
    expect(await ask({ range: 'bytes=0-4' })).toEqual([206, true])
    expect(await ask({ range: 'bytes=0-3' })).toEqual([206, false])
    expect(await ask({ 'if-none-match': md5('hello') })).toEqual([304, false])
  })

  test('of a range that is not there says how much there is', async () => {
    const response = await s3.get('acme/docs/read.txt', { range: 'bytes=5-9' })
    expect(response.headers.get('content-range')).toBe('bytes */5')
    const text = await response.text()
    expect([response.status, text]).toEqual([416, expect.stringContaining('InvalidRange')])
    expect(text).toContain('<ActualObjectSize>5</ActualObjectSize>')
    await s3.put('acme/docs/empty.txt', '')
    const empty = s3.get('acme/docs/empty.txt', { range: 'bytes=40-50' })
    expect(await refusal(empty)).toBe('416 InvalidRange')
    expect(await (await s3.get('acme/docs/empty.txt')).text()).toBe('')
  })

  test('has the conditions of HTTP', async () => {
    const etag = `"${md5('hello')}"`
    const ask = async (headers: Record<string, string>) =>
      (await s3.get('acme/docs/read.txt', headers)).status
    expect(await ask({ 'if-match': etag })).toBe(200)
    expect(await ask({ 'if-match': md5('hello') })).toBe(200)
    expect(await ask({ 'if-match': '"other"' })).toBe(412)
    expect(await ask({ 'if-none-match': etag })).toBe(304)
    expect(await ask({ 'if-none-match': '"other"' })).toBe(200)
    expect(await ask({ 'if-modified-since': 'Thu, 01 Dec 2044 16:00:00 GMT' })).toBe(304)
    expect(await ask({ 'if-unmodified-since': 'Thu, 01 Dec 1994 16:00:00 GMT' })).toBe(412)
    expect(await ask({ 'if-range': etag, range: 'bytes=0-0' })).toBe(206)
    expect(await ask({ 'if-range': '"other"', range: 'bytes=0-0' })).toBe(200)
  })

  test('has the fields that its URL asks for, where it is signed', async () => {
    const query = {
      'response-content-type': 'text/plain',
      'response-content-disposition': 'attachment; filename="ü.txt"',
      'response-cache-control': 'no-cache',
    }
    const { headers } = await s3.send('GET', '/acme/docs/read.txt', { query })
    expect(headers.get('content-type')).toBe('text/plain')
    expect(headers.get('cache-control')).toBe('no-cache')
    const disposition = Buffer.from(headers.get('content-disposition') ?? '', 'latin1')
    expect(disposition.toString()).toBe('attachment; filename="ü.txt"')
    const bad = { query: { 'response-expires': 'a\r\nb: c' } }
    expect(await refusal(s3.send('GET', '/acme/docs/read.txt', bad))).toBe('400 InvalidArgument')
    expect(await refusal(tenant.anonymously('acme/docs/read.txt?response-expires=0'))).toBe(
      '400 InvalidRequest',
    )
  })

  test('of a part of what came in one is of the whole', async () => {
    const part = (number: string, headers = {}) =>
      s3.send('GET', '/acme/docs/read.txt', { query: { partNumber: number }, headers })
    expect(await (await part('1')).text()).toBe('hello')
    expect(await refusal(part('2'))).toBe('400 InvalidPart')
    expect(await refusal(part('0'))).toBe('400 InvalidArgument')
    expect(await refusal(part('1', { range: 'bytes=0-1' }))).toBe('400 InvalidRequest')
  })
})

describe('without a signature', () => {
  test('what the edge delivers can be read, and nothing else is told', async () => {
    await s3.put('acme/docs/open.txt', 'open')
    await s3.put('acme/private/secret.txt', 'secret')
    expect(await (await tenant.anonymously('acme/docs/open.txt')).text()).toBe('open')
    const head = await tenant.anonymously('acme/docs/open.txt', { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe('4')
    for (const path of ['acme/private/secret.txt', 'acme/docs/absent.txt', 'nowhere/a', 'acme/a/'])
      expect(await refusal(tenant.anonymously(path))).toBe('403 AccessDenied')
    expect(
      await refusal(tenant.anonymously('acme/docs/open.txt', { method: 'PUT', body: 'x' })),
    ).toBe('403 AccessDenied')
    expect(await refusal(tenant.anonymously('acme/docs/open.txt', { method: 'DELETE' }))).toBe(
      '403 AccessDenied',
    )
  })

  test('nothing of what has expired', async () => {
    await s3.put('acme/docs/over.txt', 'over')
    await tenant.describe('acme/v1/docs/over.txt', { Expires: '2020-01-01T00:00:00Z' })
    expect(await refusal(tenant.anonymously('acme/docs/over.txt'))).toBe('403 AccessDenied')
    expect((await s3.get('acme/docs/over.txt')).status).toBe(200)
    const listed = await s3.send('GET', '/acme', { query: { prefix: 'docs/over' } })
    expect(await listed.text()).toContain('<Key>docs/over.txt</Key>')
  })

  test('nothing of a zone that is switched off', async () => {
    await tenant.createZone('dark')
    await s3.put('dark/a.txt', 'x')
    await fetch(`${service.url}/api/core/zones/dark`, {
      method: 'PATCH',
      headers: account,
      body: JSON.stringify({ Enabled: false }),
    })
    expect(await refusal(tenant.anonymously('dark/a.txt'))).toBe('403 AccessDenied')
    expect((await s3.get('dark/a.txt')).status).toBe(200)
  })
})

describe('what is asked of an object besides', () => {
  beforeAll(() => s3.put('acme/docs/asked.txt', 'hello'))
  const ask = (method: string, query: string, more: Parameters<S3Client['send']>[2] = {}) =>
    s3.send(method, '/acme/docs/asked.txt', { query: { [query]: '' }, ...more })
  const tagging = (tags: Readonly<Record<string, string>>) =>
    `<Tagging><TagSet>${Object.entries(tags)
      .map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`)
      .join('')}</TagSet></Tagging>`

  test('its attributes are those that are named', async () => {
    const attributes = (names: string) =>
      ask('GET', 'attributes', { headers: { 'x-amz-object-attributes': names } })
    const all = await attributes('ETag,Checksum,ObjectParts,StorageClass,ObjectSize')
    const text = await all.text()
    expect(text).toContain(`<ETag>${md5('hello')}</ETag>`)
    expect(text).toContain('<ObjectSize>5</ObjectSize>')
    expect(text).toContain('<StorageClass>STANDARD</StorageClass>')
    expect(text).toContain('<ChecksumSHA256>')
    expect(all.headers.get('last-modified')).not.toBeNull()
    expect(await (await attributes('ObjectSize')).text()).not.toContain('ETag')
    expect(await refusal(attributes('Colour'))).toBe('400 InvalidArgument')
    expect(await refusal(ask('GET', 'attributes'))).toBe('400 InvalidArgument')
  })

  test('its tags are set, read and taken back, and its bytes stay the same version', async () => {
    const before = (await s3.head('acme/docs/asked.txt')).headers.get('x-amz-version-id')
    const put = await ask('PUT', 'tagging', { body: tagging({ Stage: 'draft', b: '' }) })
    expect([put.status, put.headers.get('x-amz-version-id')]).toEqual([200, before])
    const text = await (await ask('GET', 'tagging')).text()
    expect(text).toContain('<Tag><Key>Stage</Key><Value>draft</Value></Tag>')
    const { headers } = await s3.head('acme/docs/asked.txt')
    expect(headers.get('x-amz-tagging-count')).toBe('2')
    expect(headers.get('x-amz-version-id')).toBe(before)
    expect((await ask('DELETE', 'tagging')).status).toBe(204)
    expect(await (await ask('GET', 'tagging')).text()).toContain('<TagSet></TagSet>')
  })

  test('bad tags are refused', async () => {
    const put = (body: string) => refusal(ask('PUT', 'tagging', { body }))
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`k${at}`, '']))
    expect(await put(tagging(many))).toBe('400 BadRequest')
    expect(await put(tagging({ ['k'.repeat(129)]: '' }))).toBe('400 InvalidTag')
    expect(await put(tagging({ a: 'v'.repeat(257) }))).toBe('400 InvalidTag')
    const twice = '<Tag><Key>a</Key><Value>1</Value></Tag>'.repeat(2)
    expect(await put(`<Tagging><TagSet>${twice}</TagSet></Tagging>`)).toBe('400 InvalidTag')
    expect(await put('<Tagging><TagSet><Tag/></TagSet></Tagging>')).toBe('400 MalformedXML')
    const absent = s3.send('GET', '/acme/docs/absent.txt', { query: { tagging: '' } })
    expect(await refusal(absent)).toBe('404 NoSuchKey')
  })

  test('its access list is always the same', async () => {
    expect(await (await ask('GET', 'acl')).text()).toContain(
      'xsi:type="CanonicalUser"><ID>sedge</ID><DisplayName>sedge</DisplayName></Grantee><Permission>FULL_CONTROL',
    )
    const put = (list: string) => ask('PUT', 'acl', { headers: { 'x-amz-acl': list } })
    expect((await put('private')).status).toBe(200)
    expect((await put('public-read')).status).toBe(200)
    expect(await refusal(put('public-read-write'))).toBe('400 AccessControlListNotSupported')
    expect(await refusal(ask('PUT', 'acl', { body: '<AccessControlPolicy/>' }))).toBe(
      '400 AccessControlListNotSupported',
    )
  })

  test.each(['retention', 'legal-hold', 'torrent', 'restore'])('%s is not there', async (query) => {
    expect(await refusal(ask('GET', query))).toBe('501 NotImplemented')
  })
})
