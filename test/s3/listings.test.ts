import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { openS3Client, type S3Client } from '../support/s3-client.ts'
import { askS3, type S3Query } from '../support/ask-s3.ts'
import { elementsIn, textsIn } from '../support/xml-texts.ts'

let service: InProcessService
let client: S3Client

beforeAll(async () => {
  service = await openInProcess()
  client = await openS3Client(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (method: string, path: string, query: S3Query = {}) =>
  askS3(client, method, path, query)

/** In process nothing says how long a body is. */
async function store(object: string): Promise<void> {
  const body = object.endsWith('/') ? '' : object
  const length = { 'Content-Length': String(Buffer.byteLength(body)) }
  expect((await client.put(object, body, length)).status).toBe(200)
}

const bucketWith = async (name: string, keys: readonly string[]): Promise<void> => {
  expect((await ask('PUT', `/${name}`)).status).toBe(200)
  for (const key of keys) await store(`${name}/${key}`)
}

const keysOf = (text: string) =>
  elementsIn(text, 'Contents').flatMap((each) => textsIn(each, 'Key'))
const prefixesOf = (text: string) =>
  elementsIn(text, 'CommonPrefixes').flatMap((each) => textsIn(each, 'Prefix'))

test('a bucket is a zone that is empty, and goes while it is', async () => {
  const made = await ask('PUT', '/made')
  expect([made.status, made.headers.get('location')]).toEqual([200, '/made'])
  const head = await ask('HEAD', '/made')
  expect([head.status, head.headers.get('x-amz-bucket-region')]).toEqual([200, 'us-east-1'])
  expect(keysOf((await ask('GET', '/made')).text)).toEqual([])
  expect((await ask('PUT', '/made')).code).toBe('BucketAlreadyOwnedByYou')
  const zones = (await (await service.core('GET', 'zones')).json()) as object
  expect(JSON.stringify(zones)).toContain('"made"')

  await store('made/a.txt')
  const refused = await ask('DELETE', '/made')
  expect([refused.status, refused.code]).toEqual([409, 'BucketNotEmpty'])
  await client.delete('made/a.txt')
  await store('made/directory/')
  expect((await ask('DELETE', '/made')).code).toBe('BucketNotEmpty')
  await client.delete('made/directory/')
  expect((await ask('DELETE', '/made')).status).toBe(204)
  expect((await ask('HEAD', '/made')).status).toBe(404)
  expect((await ask('DELETE', '/made')).code).toBe('NoSuchBucket')
})

test('a bucket stays when its last object goes', async () => {
  await bucketWith('stays', ['a/b.txt'])
  await client.delete('stays/a/b.txt')

  expect((await ask('HEAD', '/stays')).status).toBe(200)
})

test('names that no zone may have are no names of buckets, whatever region they are wanted in', async () => {
  for (const name of ['a', 'A-b', 'a.b', 'a_b', 's3', 'api', 'git', 'x'.repeat(65), '%40zone'])
    expect([name, (await ask('PUT', `/${name}`)).code]).toEqual([name, 'InvalidBucketName'])
  const configuration =
    '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>mars-1</LocationConstraint></CreateBucketConfiguration>'
  expect((await ask('PUT', '/in-mars', { body: configuration })).status).toBe(200)
  expect((await ask('PUT', '/broken', { body: '<Create' })).code).toBe('MalformedXML')
  const other = await client.send('PUT', '/public', { headers: { 'x-amz-acl': 'public-read' } })
  expect(other.status).toBe(501)
})

test('buckets are listed by prefix and in pages, those that the key reaches', async () => {
  for (const name of ['list-a', 'list-b', 'list-c']) await bucketWith(name, [])
  const first = await ask('GET', '/', { prefix: 'list-', 'max-buckets': '2' })
  expect(textsIn(first.text, 'Name')).toEqual(['list-a', 'list-b'])
  const [token = ''] = textsIn(first.text, 'ContinuationToken')
  const rest = await ask('GET', '/', { prefix: 'list-', 'continuation-token': token })
  expect(textsIn(rest.text, 'Name')).toEqual(['list-c'])
  for (const count of ['0', '10001', 'x', '-1'])
    expect((await ask('GET', '/', { 'max-buckets': count })).code).toBe('InvalidArgument')

  const narrow = await openS3Client(service, { zones: ['list-b'], scopes: ['storage:read'] })
  const seen = await (await narrow.send('GET', '/')).text()
  expect(textsIn(seen, 'Name')).toEqual(['list-b'])
  for (const name of ['list-a', 'never-there'])
    expect((await narrow.send('GET', `/${name}`)).status).toBe(403)
  expect((await narrow.send('PUT', '/list-b')).status).toBe(403)
})

test('objects are listed in byte order, in pages of either version', async () => {
  const keys = ['a', 'a-b/c', 'b/', 'b/c', 'b/d/e', 'ﬁ', '😀', 'ü.txt', 'z']
  await bucketWith('ordered', keys)
  const inOrder = keys.toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  )
  for (const version of [{}, { 'list-type': '2' }]) {
    const found: string[] = []
    let after: S3Query = {}
    for (;;) {
      const { text } = await ask('GET', '/ordered', { ...version, ...after, 'max-keys': '2' })
      found.push(...keysOf(text))
      if (textsIn(text, 'IsTruncated')[0] === 'false') break
      const [token = ''] = textsIn(text, 'NextContinuationToken')
      after = token === '' ? { marker: found.at(-1) ?? '' } : { 'continuation-token': token }
    }
    expect(found).toEqual(inOrder)
  }
})

test('what is listed is what a read of it says', async () => {
  await bucketWith('said', ['a.txt', 'd/'])
  const { text } = await ask('GET', '/said', { 'list-type': '2', 'fetch-owner': 'true' })
  const { headers } = await client.head('said/a.txt')
  const [file = '', marker = ''] = elementsIn(text, 'Contents')
  expect(textsIn(file, 'ETag')).toEqual([headers.get('etag') ?? ''])
  expect(textsIn(file, 'Size')).toEqual([headers.get('content-length') ?? ''])
  const [changedAt = ''] = textsIn(file, 'LastModified')
  expect(new Date(changedAt).toUTCString()).toBe(headers.get('last-modified') ?? '')
  expect(textsIn(marker, 'ETag')).toEqual(['"d41d8cd98f00b204e9800998ecf8427e"'])
  expect(textsIn(marker, 'Size')).toEqual(['0'])
  const read = await client.get('said/d/')
  expect([read.status, await read.text()]).toEqual([200, ''])
  expect(textsIn(marker, 'ETag')).toEqual([read.headers.get('etag') ?? ''])
  for (const content of [file, marker]) {
    expect(textsIn(content, 'StorageClass')).toEqual(['STANDARD'])
    expect(textsIn(content, 'ID')).toEqual(['sedge'])
  }
  expect(textsIn(text, 'KeyCount')).toEqual(['2'])
})

test('a delimiter of any text makes common prefixes, which count as keys do', async () => {
  await bucketWith('prefixes', ['a/1', 'a/2', 'a.txt', 'b--x', 'b--y', 'c/d/e'])
  const list = (query: S3Query) => ask('GET', '/prefixes', { 'list-type': '2', ...query })
  const slashes = await list({ delimiter: '/' })
  expect(keysOf(slashes.text)).toEqual(['a.txt', 'b--x', 'b--y'])
  expect(prefixesOf(slashes.text)).toEqual(['a/', 'c/'])
  expect(prefixesOf((await list({ delimiter: '--' })).text)).toEqual(['b--'])
  expect(prefixesOf((await list({ delimiter: '/', prefix: 'c/' })).text)).toEqual(['c/d/'])
  const page = await list({ delimiter: '/', 'max-keys': '2' })
  expect([keysOf(page.text), prefixesOf(page.text)]).toEqual([['a.txt'], ['a/']])
  const first = await ask('GET', '/prefixes', { delimiter: '/', 'max-keys': '2' })
  expect(textsIn(first.text, 'NextMarker')).toEqual(['a/'])
  const rest = await ask('GET', '/prefixes', { delimiter: '/', marker: 'a/' })
  expect(keysOf(rest.text)).toEqual(['b--x', 'b--y'])
  const after = await list({ 'start-after': 'b--x' })
  expect([keysOf(after.text), textsIn(after.text, 'StartAfter')]).toEqual([
    ['b--y', 'c/d/e'],
    ['b--x'],
  ])
})

test('keys are encoded where the client wants that', async () => {
  await bucketWith('encoded', ['a b&c/ü+(1).txt'])
  const query = { 'list-type': '2', 'encoding-type': 'url', prefix: 'a b' }
  const { text } = await ask('GET', '/encoded', query)
  expect(keysOf(text)).toEqual(['a%20b%26c/%C3%BC%2B%281%29.txt'])
  expect(textsIn(text, 'EncodingType')).toEqual(['url'])
  expect((await ask('GET', '/encoded', { 'encoding-type': 'gzip' })).code).toBe('InvalidArgument')
})

test('whatever is asked of a listing, the caller is at fault', async () => {
  await bucketWith('asked', ['a', 'b'])
  const bad: readonly S3Query[] = [
    { 'max-keys': '-1' },
    { 'max-keys': 'many' },
    { 'max-keys': '99999999999999999999' },
    { 'list-type': '2', 'continuation-token': 'nonsense' },
    { 'list-type': '2', 'continuation-token': '../../etc/passwd' },
  ]
  for (const query of bad) expect((await ask('GET', '/asked', query)).code).toBe('InvalidArgument')
  const none = await ask('GET', '/asked', { 'max-keys': '0' })
  expect([keysOf(none.text), textsIn(none.text, 'IsTruncated')]).toEqual([[], ['false']])
  const many = await ask('GET', '/asked', { 'max-keys': '2147483647' })
  expect([keysOf(many.text), textsIn(many.text, 'MaxKeys')]).toEqual([['a', 'b'], ['1000']])
  for (const text of ['\u0000', '￿', '%', '\u{10ffff}', 'x'.repeat(4000), '../..'])
    for (const name of ['prefix', 'delimiter', 'marker', 'start-after'])
      expect((await ask('GET', '/asked', { [name]: text, 'list-type': '2' })).status).toBe(200)
  expect((await ask('GET', '/none-such')).code).toBe('NoSuchBucket')
  expect((await service.fetch('/s3/asked')).status).toBe(403)
})

test('what every bucket is, and what none has, is said in S3’s own words', async () => {
  await bucketWith('settings', [])
  const codeOf = async (method: string, query: string) =>
    (await ask(method, '/settings', { [query]: '' })).code
  for (const [query, code] of [
    ['policy', 'NoSuchBucketPolicy'],
    ['tagging', 'NoSuchTagSet'],
    ['encryption', 'ServerSideEncryptionConfigurationNotFoundError'],
    ['lifecycle', 'NoSuchLifecycleConfiguration'],
    ['object-lock', 'ObjectLockConfigurationNotFoundError'],
    ['replication', 'ReplicationConfigurationNotFoundError'],
    ['website', 'NoSuchWebsiteConfiguration'],
  ] as const) {
    expect(await codeOf('GET', query)).toBe(code)
    expect(await codeOf('PUT', query)).toBe('NotImplemented')
    expect(await codeOf('DELETE', query)).toBe('NotImplemented')
  }
  for (const [query, text] of [
    ['location', '<LocationConstraint '],
    ['versioning', '<Status>Enabled</Status>'],
    ['acl', 'FULL_CONTROL'],
    ['policyStatus', '<IsPublic>false</IsPublic>'],
    ['publicAccessBlock', 'BlockPublicAcls'],
    ['ownershipControls', 'BucketOwnerEnforced'],
    ['requestPayment', 'BucketOwner'],
  ] as const)
    expect((await ask('GET', '/settings', { [query]: '' })).text).toContain(text)
  expect(await codeOf('GET', 'inventory')).toBe('NotImplemented')
})

test('versioning is enabled, and stays so', async () => {
  await bucketWith('versioned', [])
  const put = (status: string) =>
    ask('PUT', '/versioned', {
      versioning: '',
      body: `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`,
    })
  expect((await put('Enabled')).status).toBe(200)
  expect((await put('Suspended')).code).toBe('NotImplemented')
  expect((await put('Whatever')).code).toBe('IllegalVersioningConfigurationException')
})
