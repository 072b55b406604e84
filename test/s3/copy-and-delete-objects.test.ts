import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { openS3Client, type S3Client } from '../support/s3-client.ts'
import { md5, openS3Tenant, refusal, type S3Tenant } from './s3-tenant.ts'

let tenant: S3Tenant
let service: S3Tenant['service']
let s3: S3Client

beforeAll(async () => {
  tenant = await openS3Tenant()
  ;({ service, s3 } = tenant)
})

afterAll(() => tenant[Symbol.asyncDispose]())

describe('a copy', () => {
  const copy = (source: string, to: string, headers: Record<string, string> = {}) =>
    s3.put(to, '', { 'x-amz-copy-source': source, ...headers })

  beforeAll(async () => {
    await s3.put('acme/copies/ä b.txt', 'copied', {
      'content-type': 'text/x-odd',
      'x-amz-meta-a': '1',
      'x-amz-tagging': 'a=1',
      'cache-control': 'max-age=1',
    })
    await tenant.describe('acme/v1/copies/ä b.txt', { Title: 'Original' })
  })

  test('has the bytes, what was said of them, and what persons said', async () => {
    const response = await copy('/acme/copies/%C3%A4%20b.txt', 'acme/copies/c.txt')
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain(`<ETag>&quot;${md5('copied')}&quot;</ETag>`)
    expect(text).toMatch(/<LastModified>\d{4}-[^<]*Z<\/LastModified>/u)
    const found = await s3.get('acme/copies/c.txt')
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'text/x-odd',
      'cache-control': 'max-age=1',
      'x-amz-meta-a': '1',
      'x-amz-tagging-count': '1',
      'x-amz-version-id': response.headers.get('x-amz-version-id') ?? '',
    })
    expect(await found.text()).toBe('copied')
    expect(await tenant.known('acme/v1/copies/c.txt')).toMatchObject({
      Metadata: { Title: 'Original' },
    })
  })

  test('says other things where it is told to', async () => {
    await copy('acme/copies/%C3%A4%20b.txt', 'acme/copies/other.txt', {
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-tagging-directive': 'REPLACE',
      'x-amz-meta-b': '2',
      'content-type': 'text/y-odd',
    })
    const { headers } = await s3.head('acme/copies/other.txt')
    expect(headers.get('x-amz-meta-a')).toBeNull()
    expect(headers.get('x-amz-meta-b')).toBe('2')
    expect(headers.get('cache-control')).toBeNull()
    expect(headers.get('x-amz-tagging-count')).toBeNull()
    expect(headers.get('content-type')).toBe('text/y-odd')
  })

  test('onto itself has to change something', async () => {
    await s3.put('acme/copies/self.txt', 'self', { 'x-amz-meta-a': '1' })
    expect(await refusal(copy('acme/copies/self.txt', 'acme/copies/self.txt'))).toBe(
      '400 InvalidRequest',
    )
    const replaced = await copy('acme/copies/self.txt', 'acme/copies/self.txt', {
      'x-amz-metadata-directive': 'REPLACE',
      'x-amz-meta-a': '2',
    })
    expect(replaced.status).toBe(200)
    const { headers } = await s3.head('acme/copies/self.txt')
    expect(headers.get('x-amz-meta-a')).toBe('2')
  })

  test('into another zone is for who may read here and write there', async () => {
    expect((await copy('acme/copies/%C3%A4%20b.txt', 'other/a.txt')).status).toBe(200)
    expect(await (await s3.get('other/a.txt')).text()).toBe('copied')
    const narrow = await openS3Client(service, { zones: ['other'] })
    const refused = narrow.put('other/b.txt', '', { 'x-amz-copy-source': 'acme/copies/c.txt' })
    expect(await refusal(refused)).toBe('403 AccessDenied')
    const writer = await openS3Client(service, { scopes: ['storage:write'] })
    const blind = writer.put('other/b.txt', '', { 'x-amz-copy-source': 'other/a.txt' })
    expect(await refusal(blind)).toBe('403 AccessDenied')
  })

  test.each([
    ['if-match', `"${md5('copied')}"`, 200],
    ['if-match', '"other"', 412],
    ['if-none-match', `"${md5('copied')}"`, 412],
    ['if-modified-since', 'Thu, 01 Dec 2044 16:00:00 GMT', 412],
    ['if-unmodified-since', 'Thu, 01 Dec 1994 16:00:00 GMT', 412],
  ])('asks %s %s of its source', async (name, value, status) => {
    const response = await copy('acme/copies/%C3%A4%20b.txt', 'acme/copies/if.txt', {
      [`x-amz-copy-source-${name}`]: value,
    })
    expect(response.status).toBe(status)
  })

  test.each([
    ['acme/copies/absent.txt', '404 NoSuchKey'],
    ['nowhere/a.txt', '404 NoSuchBucket'],
    ['acme', '400 InvalidArgument'],
    ['acme/', '400 InvalidArgument'],
    ['acme/%ff', '400 InvalidArgument'],
    [`acme/${'x'.repeat(5000)}`, '400 InvalidArgument'],
  ])('of %s is refused with %s', async (source, wanted) => {
    expect(await refusal(copy(source, 'acme/copies/refused.txt'))).toBe(wanted)
  })

  test('of a directory marker is one', async () => {
    await s3.put('acme/copies/dir/', '')
    expect((await copy('acme/copies/dir/', 'acme/copies/dir2/')).status).toBe(200)
    expect((await s3.head('acme/copies/dir2/')).status).toBe(200)
    expect(await refusal(copy('acme/copies/dir/', 'acme/copies/file'))).toBe('400 InvalidRequest')
    expect(await refusal(copy('acme/copies/c.txt', 'acme/copies/dir3/'))).toBe(
      '400 InvalidArgument',
    )
  })
})

describe('a deletion', () => {
  test('says which commit it is, and is none where nothing is there', async () => {
    await s3.put('acme/docs/gone.txt', 'x')
    const deleted = await s3.delete('acme/docs/gone.txt')
    expect(deleted.status).toBe(204)
    expect(deleted.headers.get('x-amz-delete-marker')).toBe('true')
    expect(deleted.headers.get('x-amz-version-id')).toMatch(/^[0-9a-f]{40}$/u)
    expect((await s3.head('acme/docs/gone.txt')).status).toBe(404)
    const again = await s3.delete('acme/docs/gone.txt')
    expect([again.status, again.headers.get('x-amz-version-id')]).toEqual([204, null])
    expect((await s3.delete('acme/a//b')).status).toBe(204)
    expect(await refusal(s3.delete('nowhere/a'))).toBe('404 NoSuchBucket')
  })

  const deleteMany = (body: string) => s3.send('POST', '/acme', { query: { delete: '' }, body })

  test('of many is one commit, with a result for each', async () => {
    for (const key of ['m/1', 'm/2', 'm/3']) await s3.put(`acme/${key}`, key)
    const object = (key: string, more = '') => `<Object><Key>${key}</Key>${more}</Object>`
    const response = await deleteMany(
      `<Delete>${['m/1', 'm/2', 'm/2', 'm/absent', 'm//x'].map((key) => object(key)).join('')}${object('m/3', '<ETag>"other"</ETag>')}</Delete>`,
    )
    const text = await response.text()
    expect(response.status).toBe(200)
    const commits = [...text.matchAll(/<DeleteMarkerVersionId>(\w+)</gu)].map(([, id]) => id)
    expect([commits.length, new Set(commits).size]).toEqual([3, 1])
    expect([...text.matchAll(/<Deleted><Key>([^<]*)</gu)].map(([, key]) => key)).toEqual([
      'm/1',
      'm/2',
      'm/2',
      'm/absent',
      'm//x',
    ])
    expect(text).toContain('<Error><Key>m/3</Key><Code>PreconditionFailed</Code>')
    expect((await s3.head('acme/m/3')).status).toBe(200)

    const quiet = await deleteMany(`<Delete><Quiet>true</Quiet>${object('m/3')}</Delete>`)
    expect(await quiet.text()).not.toContain('Deleted')
    expect((await s3.head('acme/m/3')).status).toBe(404)
  })

  test('of nothing, of too many or of what is no list is malformed', async () => {
    const many = (count: number) =>
      `<Delete>${'<Object><Key>a</Key></Object>'.repeat(count)}<Quiet>false</Quiet></Delete>`
    expect(await refusal(deleteMany('<Delete></Delete>'))).toBe('400 MalformedXML')
    expect(await refusal(deleteMany(many(1001)))).toBe('400 MalformedXML')
    expect((await deleteMany(many(1000))).status).toBe(200)
    expect(await refusal(deleteMany('<Delete><Object/></Delete>'))).toBe('400 MalformedXML')
    expect(await refusal(deleteMany('{}'))).toBe('400 MalformedXML')
  })
})
