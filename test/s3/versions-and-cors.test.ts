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

/** In process nothing says how long a body is. Answers the version that was made. */
async function store(object: string, body: string): Promise<string> {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) }
  const response = await client.put(object, body, length)
  expect(response.status).toBe(200)
  return response.headers.get('x-amz-version-id') ?? ''
}

const idsOf = (text: string, element: string) =>
  elementsIn(text, element).map((each) => textsIn(each, 'VersionId')[0] ?? '')

test('every version of an object is listed, its deletion too, and each can be read by its id', async () => {
  await ask('PUT', '/versions')
  const [one, two] = [await store('versions/a.txt', '1'), await store('versions/a.txt', '22')]
  const gone = (await client.delete('versions/a.txt')).headers.get('x-amz-version-id') ?? ''
  const three = await store('versions/a.txt', '333')
  const other = await store('versions/b/c.txt', 'c')
  const { text } = await ask('GET', '/versions', { versions: '' })
  expect(idsOf(text, 'Version')).toEqual([three, two, one, other])
  expect(idsOf(text, 'DeleteMarker')).toEqual([gone])
  expect(elementsIn(text, 'Version').map((each) => textsIn(each, 'IsLatest')[0])).toEqual([
    'true',
    'false',
    'false',
    'true',
  ])
  expect(elementsIn(text, 'Version').map((each) => textsIn(each, 'Size')[0])).toEqual([
    '3',
    '2',
    '1',
    '1',
  ])
  for (const version of elementsIn(text, 'Version').slice(0, 3)) {
    const [versionId = ''] = textsIn(version, 'VersionId')
    const read = await ask('HEAD', '/versions/a.txt', { versionId })
    expect(textsIn(version, 'ETag')).toEqual([read.headers.get('etag') ?? ''])
  }

  const found: string[] = []
  let after: S3Query = {}
  for (;;) {
    const page = await ask('GET', '/versions', { versions: '', 'max-keys': '2', ...after })
    found.push(...idsOf(page.text, 'Version'), ...idsOf(page.text, 'DeleteMarker'))
    if (textsIn(page.text, 'IsTruncated')[0] === 'false') break
    const [key = ''] = textsIn(page.text, 'NextKeyMarker')
    const [id] = textsIn(page.text, 'NextVersionIdMarker')
    after = { 'key-marker': key, ...(id && { 'version-id-marker': id }) }
  }
  expect(found.toSorted()).toEqual([one, two, gone, three, other].toSorted())
  const below = await ask('GET', '/versions', { versions: '', delimiter: '/' })
  expect(elementsIn(below.text, 'CommonPrefixes')).toEqual(['<Prefix>b/</Prefix>'])
  for (const bad of [
    { 'key-marker': 'a.txt', 'version-id-marker': 'x' },
    { 'version-id-marker': one },
  ])
    expect((await ask('GET', '/versions', { versions: '', ...bad })).code).toBe('InvalidArgument')
})

test('a bucket that is made anew under the name of another has no version of it', async () => {
  await ask('PUT', '/anew')
  await store('anew/a.txt', 'a')
  await client.delete('anew/a.txt')
  await ask('DELETE', '/anew')
  await ask('PUT', '/anew')
  const { text } = await ask('GET', '/anew', { versions: '' })

  expect([...idsOf(text, 'Version'), ...idsOf(text, 'DeleteMarker')]).toEqual([])
})

const rules = (origin: string, more = '') =>
  `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedHeader>x-amz-*</AllowedHeader><AllowedHeader>content-type</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>60</MaxAgeSeconds>${more}</CORSRule></CORSConfiguration>`

const preflight = (
  path: string,
  [origin, method, wanted = '']: readonly [string, string, string?],
) =>
  service.fetch(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(wanted !== '' && { 'Access-Control-Request-Headers': wanted }),
    },
  })

test('pages of other origins may what the rules of the bucket say', async () => {
  await ask('PUT', '/open')
  await store('open/texts/a.txt', 'a')
  expect((await ask('GET', '/open', { cors: '' })).code).toBe('NoSuchCORSConfiguration')
  expect((await preflight('/s3/open/a', ['https://app.example', 'PUT'])).status).toBe(403)
  const body = rules('https://*.example')
  expect((await ask('PUT', '/open', { cors: '', body })).status).toBe(200)
  const { text } = await ask('GET', '/open', { cors: '' })
  expect(textsIn(text, 'AllowedOrigin')).toEqual(['https://*.example'])
  expect(textsIn(text, 'AllowedMethod')).toEqual(['GET', 'PUT'])

  const asked = await preflight('/s3/open/a', [
    'https://app.example',
    'PUT',
    'X-Amz-Date, Content-Type',
  ])
  expect(asked.status).toBe(200)
  expect(asked.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(asked.headers.get('access-control-allow-headers')).toBe('x-amz-date, content-type')
  expect(asked.headers.get('access-control-max-age')).toBe('60')
  for (const [origin, method, header] of [
    ['https://app.test', 'PUT', ''],
    ['https://app.example', 'DELETE', ''],
    ['https://app.example', 'PUT', 'x-other'],
  ] as const)
    expect((await preflight('/s3/open/a', [origin, method, header])).status).toBe(403)
  expect((await preflight('/s3/never', ['https://app.example', 'PUT'])).status).toBe(403)
  expect((await service.fetch('/s3/open/a', { method: 'OPTIONS' })).status).toBe(400)

  const from = (origin: string) =>
    service.fetch('/s3/open/texts/a.txt', { headers: { Origin: origin } })
  const read = await from('https://app.example')
  expect([read.status, await read.text()]).toEqual([200, 'a'])
  expect(read.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(read.headers.get('access-control-expose-headers')).toBe('ETag')
  expect((await from('https://app.test')).headers.has('access-control-allow-origin')).toBe(false)

  expect((await ask('DELETE', '/open', { cors: '' })).status).toBe(204)
  expect((await from('https://app.example')).headers.has('access-control-allow-origin')).toBe(false)
})

test('rules for other origins that are none are refused', async () => {
  await ask('PUT', '/refused')
  for (const [body, code] of [
    [rules('https://*.*'), 'InvalidRequest'],
    [rules('*').replace('>PUT<', '>BREW<'), 'InvalidRequest'],
    [rules('*').replace('>ETag<', '>a\r\nb<'), 'InvalidRequest'],
    [rules('*').replace('>60<', '>soon<'), 'MalformedXML'],
    ['<CORSConfiguration/>', 'MalformedXML'],
    ['<Other/>', 'MalformedXML'],
  ] as const)
    expect((await ask('PUT', '/refused', { cors: '', body })).code).toBe(code)
  expect((await ask('GET', '/refused', { cors: '' })).code).toBe('NoSuchCORSConfiguration')
})
