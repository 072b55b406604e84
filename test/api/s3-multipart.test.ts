import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { openS3Client, type S3Client } from '../support/s3-client.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

let service: LocalService
let s3: S3Client
const resources = new AsyncDisposableStack()
const partBytes = 5 * 2 ** 20

beforeAll(async () => {
  const directory = resources.use(await temporaryDirectory())
  service = resources.use(await openLocalService({ dataDirectory: directory.path }))
  for (const name of ['acme', 'empty'])
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: name }),
    })
  s3 = await openS3Client(service)
})

afterAll(() => resources.disposeAsync())

type Fields = Readonly<Record<string, string>>

const elementIn = (xml: string, name: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`, 'u').exec(xml)?.[1]?.replaceAll('&quot;', '"')
const elementsIn = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'gu'))].map(([, text]) =>
    text?.replaceAll('&quot;', '"'),
  )
const refusal = async (asked: Promise<Response>) => {
  const response = await asked
  return `${response.status} ${elementIn(await response.text(), 'Code')}`
}

async function begin(key: string, headers: Fields = {}): Promise<string> {
  const response = await s3.send('POST', `/${key}`, { query: { uploads: '' }, headers })
  const xml = await response.text()
  expect([response.status, xml]).toEqual([200, expect.stringContaining('<UploadId>')])
  return elementIn(xml, 'UploadId') ?? ''
}

const sendPart = (
  key: string,
  uploadId: string,
  part: { number: number; body: Body; headers?: Fields },
) =>
  s3.send('PUT', `/${key}`, {
    query: { partNumber: String(part.number), uploadId },
    body: part.body,
    ...(part.headers && { headers: part.headers }),
  })

type Place = readonly [string, string]

async function putPart([key, uploadId]: Place, number: number, body: Body): Promise<string> {
  const response = await sendPart(key, uploadId, { number, body })
  expect(response.status).toBe(200)
  return response.headers.get('etag') ?? ''
}

type Body = string | Uint8Array<ArrayBuffer>
type Listed = readonly (readonly [number, string])[]

const complete = ([key, uploadId]: Place, parts: Listed, headers: Fields = {}) =>
  s3.send('POST', `/${key}`, { query: { uploadId }, headers, body: documentOf(parts) })

const documentOf = (parts: Listed) => {
  const elements = parts.map(
    ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload>${elements.join('')}</CompleteMultipartUpload>`
}

const md5 = (bytes: Body) => createHash('md5').update(bytes).digest()
const etagOf = (...parts: readonly Body[]) =>
  `"${createHash('md5')
    .update(Buffer.concat(parts.map(md5)))
    .digest('hex')}-${parts.length}"`
const bytesOf = (sizeBytes: number, seed: number) => new Uint8Array(sizeBytes).fill(seed)

const abort = (key: string, uploadId: string) => s3.delete(key, { uploadId })

describe('an object in parts', () => {
  test('is whole once it is completed and nothing before, with all that was said of it when it was begun', async () => {
    const key = 'acme/films/a.bin'
    const uploadId = await begin(key, {
      'content-type': 'video/mp4',
      'cache-control': 'max-age=60',
      'x-amz-meta-author': 'Zoe',
      'x-amz-tagging': 'Stage=draft',
    })
    const [first, last] = [bytesOf(partBytes, 1), bytesOf(1000, 2)]
    const tags = await Promise.all([
      putPart([key, uploadId], 3, last),
      putPart([key, uploadId], 1, first),
    ])
    expect(tags[1]).toBe(`"${md5(first).toString('hex')}"`)
    expect((await s3.head(key)).status).toBe(404)
    const response = await complete(
      [key, uploadId],
      [
        [1, tags[1]],
        [3, tags[0]],
      ],
    )
    const xml = await response.text()
    expect(response.status).toBe(200)
    expect(elementIn(xml, 'ETag')).toBe(etagOf(first, last))
    expect(elementIn(xml, 'Location')).toEndWith('/s3/acme/films/a.bin')
    expect(response.headers.get('x-amz-version-id')).toMatch(/^[0-9a-f]{40}$/u)

    const head = await s3.head(key)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      etag: etagOf(first, last),
      'content-length': String(partBytes + 1000),
      'content-type': 'video/mp4',
      'cache-control': 'max-age=60',
      'x-amz-meta-author': 'Zoe',
      'x-amz-tagging-count': '1',
    })
    const got = new Uint8Array(await (await s3.get(key)).arrayBuffer())
    expect(Buffer.compare(got, Buffer.concat([first, last]))).toBe(0)
  })

  test('has the parts it came in', async () => {
    const key = 'acme/films/parts.bin'
    const uploadId = await begin(key)
    const parts = [bytesOf(partBytes, 1), bytesOf(partBytes, 2), bytesOf(10, 3)]
    const listed: [number, string][] = []
    for (const [index, body] of parts.entries())
      listed.push([index + 1, await putPart([key, uploadId], index + 1, body)])
    await complete([key, uploadId], listed)
    for (const [index, body] of parts.entries()) {
      const query = { partNumber: String(index + 1) }
      const response = await s3.send('GET', `/${key}`, { query })
      expect(response.status).toBe(206)
      expect(response.headers.get('x-amz-mp-parts-count')).toBe('3')
      const got = new Uint8Array(await response.arrayBuffer())
      expect(Buffer.compare(got, body)).toBe(0)
    }
  })

  test('is replaced by another one, and an upload of one small part is one too', async () => {
    const key = 'acme/small.txt'
    for (const content of ['first', 'second']) {
      const uploadId = await begin(key)
      const etag = await putPart([key, uploadId], 1, content)
      await complete([key, uploadId], [[1, etag]])
      const response = await s3.get(key)
      expect(response.headers.get('etag')).toBe(etagOf(content))
      expect(await response.text()).toBe(content)
    }
    await s3.put(key, 'third')
    expect((await s3.head(key)).headers.get('etag')).toBe(`"${md5('third').toString('hex')}"`)
    const delivered = await fetch(`${service.url}/api/storage/acme/v1/small.txt`, {
      headers: access,
    })
    expect(await delivered.text()).toBe('third')
  })

  test('that is completed again is answered as before, with other parts it is gone', async () => {
    const key = 'acme/again.txt'
    const uploadId = await begin(key)
    const etag = await putPart([key, uploadId], 1, 'again')
    const first = await complete([key, uploadId], [[1, etag]])
    const again = await complete([key, uploadId], [[1, etag]])
    expect(await again.text()).toBe(await first.text())
    expect(again.headers.get('x-amz-version-id')).toBe(first.headers.get('x-amz-version-id'))
    const other = `"${'0'.repeat(32)}"`
    expect(await refusal(complete([key, uploadId], [[1, other]]))).toBe('404 NoSuchUpload')
    expect(await refusal(sendPart(key, uploadId, { number: 1, body: 'more' }))).toBe(
      '404 NoSuchUpload',
    )
    expect(await refusal(abort(key, uploadId))).toBe('404 NoSuchUpload')
  })

  test('is written if what is stored is what the request says', async () => {
    const key = 'acme/conditions.txt'
    const send = async (headers: Fields) => {
      const uploadId = await begin(key)
      const etag = await putPart([key, uploadId], 1, JSON.stringify(headers))
      const response = await complete([key, uploadId], [[1, etag]], headers)
      const xml = await response.text()
      if (response.status !== 200) expect((await abort(key, uploadId)).status).toBe(204)
      return `${response.status} ${elementIn(xml, 'Code') ?? ''}`.trim()
    }
    expect(await send({ 'if-match': '"0123456789abcdef0123456789abcdef"' })).toBe('404 NoSuchKey')
    expect(await send({ 'if-none-match': '*' })).toBe('200')
    expect(await send({ 'if-none-match': '*' })).toBe('412 PreconditionFailed')
    const etag = (await s3.head(key)).headers.get('etag') ?? ''
    expect(await send({ 'if-match': etag })).toBe('200')
    expect(await send({ 'if-match': etag })).toBe('412 PreconditionFailed')
  })
})

describe('what is refused', () => {
  test('parts out of order, that are not there, too small or said wrongly', async () => {
    const key = 'acme/refused.bin'
    const uploadId = await begin(key)
    const small = await putPart([key, uploadId], 1, 'small')
    const last = await putPart([key, uploadId], 2, 'last')
    const done = (parts: Listed, headers?: Fields) => complete([key, uploadId], parts, headers)
    expect(
      await refusal(
        done([
          [2, last],
          [1, small],
        ]),
      ),
    ).toBe('400 InvalidPartOrder')
    expect(await refusal(done([[3, last]]))).toBe('400 InvalidPart')
    expect(await refusal(done([[1, last]]))).toBe('400 InvalidPart')
    expect(
      await refusal(
        done([
          [1, small],
          [2, last],
        ]),
      ),
    ).toBe('400 EntityTooSmall')
    expect(await refusal(done([]))).toBe('400 MalformedXML')
    expect(await refusal(done([[1, small]], { 'x-amz-mp-object-size': '4' }))).toBe(
      '400 InvalidRequest',
    )
    const send = (body: string) => s3.send('POST', `/${key}`, { query: { uploadId }, body })
    for (const body of [
      '',
      '<',
      '<Complete/>',
      '<CompleteMultipartUpload><Part/></CompleteMultipartUpload>',
    ])
      expect(await refusal(send(body))).toBe('400 MalformedXML')
    // Nothing of that has done any harm.
    expect((await done([[1, small]], { 'x-amz-mp-object-size': '5' })).status).toBe(200)
  })

  test('numbers that no part has, uploads that are not there, and bodies that are not what was said', async () => {
    const key = 'acme/numbers.bin'
    const uploadId = await begin(key)
    for (const number of [0, 10_001, -1])
      expect(await refusal(sendPart(key, uploadId, { number, body: 'a' }))).toBe(
        '400 InvalidArgument',
      )
    expect(await refusal(sendPart(key, 'nobody', { number: 1, body: 'a' }))).toBe(
      '404 NoSuchUpload',
    )
    expect(await refusal(sendPart('acme/other.bin', uploadId, { number: 1, body: 'a' }))).toBe(
      '404 NoSuchUpload',
    )
    expect(await refusal(sendPart('nobody/a', uploadId, { number: 1, body: 'a' }))).toBe(
      '404 NoSuchBucket',
    )
    const headers = { 'content-md5': md5('other').toString('base64') }
    expect(await refusal(sendPart(key, uploadId, { number: 1, body: 'a', headers }))).toBe(
      '400 BadDigest',
    )
    const listing = await s3.send('GET', `/${key}`, { query: { uploadId } })
    expect(elementsIn(await listing.text(), 'PartNumber')).toEqual([])
    expect((await abort(key, uploadId)).status).toBe(204)
    expect(await refusal(abort(key, uploadId))).toBe('404 NoSuchUpload')
    expect(await refusal(s3.send('POST', '/acme/dir/', { query: { uploads: '' } }))).toBe(
      '400 InvalidArgument',
    )
  })

  test('a key of another zone, and one that may only read', async () => {
    const key = 'acme/reach.bin'
    const uploadId = await begin(key)
    const other = await openS3Client(service, { zones: ['empty'] })
    const reader = await openS3Client(service, { scopes: ['storage:read'] })
    for (const client of [other, reader])
      expect(
        await refusal(
          client.send('PUT', `/${key}`, { query: { partNumber: '1', uploadId }, body: 'a' }),
        ),
      ).toBe('403 AccessDenied')
    expect(await refusal(other.send('GET', '/acme', { query: { uploads: '' } }))).toBe(
      '403 AccessDenied',
    )
    await abort(key, uploadId)
  })
})

describe('checksums', () => {
  const crc32 = (bytes: Body) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(Bun.hash.crc32(bytes))
    return sum
  }
  const parts = [bytesOf(partBytes, 1), bytesOf(partBytes, 2), bytesOf(77, 3)]

  async function send(key: string, headers: Fields) {
    const uploadId = await begin(key, headers)
    const listed: [number, string][] = []
    for (const [index, body] of parts.entries()) {
      const sum = { 'x-amz-checksum-crc32': crc32(body).toString('base64') }
      // The second comes without one, which is made here.
      const part = { number: index + 1, body, ...(index === 1 ? {} : { headers: sum }) }
      const response = await sendPart(key, uploadId, part)
      expect(response.headers.get('x-amz-checksum-crc32')).toBe(sum['x-amz-checksum-crc32'])
      listed.push([index + 1, response.headers.get('etag') ?? ''])
    }
    return { uploadId, listed }
  }

  for (const [type, value] of [
    ['COMPOSITE', () => `${crc32(Buffer.concat(parts.map(crc32))).toString('base64')}-3`],
    ['FULL_OBJECT', () => crc32(Buffer.concat(parts)).toString('base64')],
  ] as const)
    test(`of the whole, ${type}, are made of those of the parts`, async () => {
      const key = `acme/sums/${type}.bin`
      const algorithm = { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': type }
      const { uploadId, listed } = await send(key, algorithm)
      const wrong = { 'x-amz-checksum-crc32': 'AAAAAA==' }
      expect(await refusal(complete([key, uploadId], listed, wrong))).toBe('400 BadDigest')
      const right = { 'x-amz-checksum-crc32': value(), 'x-amz-checksum-type': type }
      const response = await complete([key, uploadId], listed, right)
      const xml = await response.text()
      expect([elementIn(xml, 'ChecksumCRC32'), elementIn(xml, 'ChecksumType')]).toEqual([
        value(),
        type,
      ])
      const head = await s3.head(key, { 'x-amz-checksum-mode': 'ENABLED' })
      expect(head.headers.get('x-amz-checksum-crc32')).toBe(value())
      expect(head.headers.get('x-amz-checksum-type')).toBe(type)
    })

  test('that do not go together are refused when the upload begins, other ones with the part', async () => {
    const start = (headers: Fields) =>
      refusal(s3.send('POST', '/acme/sums/bad', { query: { uploads: '' }, headers }))
    for (const [algorithm, type] of [
      ['SHA256', 'FULL_OBJECT'],
      ['CRC64NVME', 'COMPOSITE'],
      ['MD4', 'COMPOSITE'],
      ['CRC32', 'NONE'],
    ] as const)
      expect(
        await start({ 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type }),
      ).toBe('400 InvalidRequest')
    expect(await start({ 'x-amz-checksum-type': 'COMPOSITE' })).toBe('400 InvalidRequest')

    const uploadId = await begin('acme/sums/sha', { 'x-amz-checksum-algorithm': 'sha256' })
    const headers = { 'x-amz-checksum-crc32': crc32('a').toString('base64') }
    expect(
      await refusal(sendPart('acme/sums/sha', uploadId, { number: 1, body: 'a', headers })),
    ).toBe('400 InvalidRequest')
    await abort('acme/sums/sha', uploadId)
  })
})

describe('copied parts', () => {
  const source = bytesOf(partBytes + 10, 7).map((_, place) => place % 251)

  test('are ranges of stored objects', async () => {
    await s3.put('acme/copies/source.bin', source)
    const key = 'acme/copies/copy.bin'
    const uploadId = await begin(key, { 'x-amz-checksum-algorithm': 'CRC32' })
    const copy = (number: number, headers: Fields) =>
      s3.send('PUT', `/${key}`, {
        query: { partNumber: String(number), uploadId },
        headers: { 'x-amz-copy-source': '/acme/copies/source.bin', ...headers },
      })
    const range = `bytes=10-${partBytes + 9}`
    const listed: [number, string][] = []
    for (const [number, headers] of [
      [1, { 'x-amz-copy-source-range': range }],
      [2, {}],
    ] as const) {
      const xml = await (await copy(number, headers)).text()
      expect(elementIn(xml, 'ChecksumCRC32')).toBeString()
      listed.push([number, elementIn(xml, 'ETag') ?? ''])
    }
    expect((await complete([key, uploadId], listed)).status).toBe(200)
    const got = new Uint8Array(await (await s3.get(key)).arrayBuffer())
    expect(Buffer.compare(got, Buffer.concat([source.subarray(10), source]))).toBe(0)
  })

  test('of what is not there, or not as the request says, are refused', async () => {
    await s3.put('acme/copies/source.bin', source)
    const key = 'acme/copies/refused.bin'
    const uploadId = await begin(key)
    const copy = (headers: Fields) =>
      refusal(
        s3.send('PUT', `/${key}`, {
          query: { partNumber: '1', uploadId },
          headers: { 'x-amz-copy-source': 'acme/copies/source.bin', ...headers },
        }),
      )
    for (const range of ['0-1', 'bytes=0', 'bytes=a-b', 'bytes=0-1,3-4', 'bytes=5-2', 'bytes=-2'])
      expect(await copy({ 'x-amz-copy-source-range': range })).toBe('400 InvalidArgument')
    expect(await copy({ 'x-amz-copy-source-range': `bytes=0-${source.length}` })).toBe(
      '416 InvalidRange',
    )
    expect(await copy({ 'x-amz-copy-source': 'acme/copies/nothing.bin' })).toBe('404 NoSuchKey')
    expect(await copy({ 'x-amz-copy-source-if-match': '"no"' })).toBe('412 PreconditionFailed')
    await abort(key, uploadId)
  })
})

describe('what is listed', () => {
  test('the parts of an upload, a page at a time', async () => {
    const key = 'acme/listed/parts.bin'
    const uploadId = await begin(key)
    for (const number of [4, 1, 9]) await putPart([key, uploadId], number, `part ${number}`)
    const list = async (query: Fields) => {
      const response = await s3.send('GET', `/${key}`, { query: { uploadId, ...query } })
      return await response.text()
    }
    const all = await list({})
    expect(elementsIn(all, 'PartNumber')).toEqual(['1', '4', '9'])
    expect(elementsIn(all, 'Size')).toEqual(['6', '6', '6'])
    expect(elementIn(all, 'IsTruncated')).toBe('false')
    const page = await list({ 'max-parts': '2' })
    expect([elementIn(page, 'IsTruncated'), elementIn(page, 'NextPartNumberMarker')]).toEqual([
      'true',
      '4',
    ])
    expect(elementsIn(await list({ 'part-number-marker': '4' }), 'PartNumber')).toEqual(['9'])
    for (const query of [{ 'max-parts': '-1' }, { 'part-number-marker': 'a' }] as const)
      expect(elementIn(await list(query), 'Code')).toBe('InvalidArgument')
    await abort(key, uploadId)
    expect(elementIn(await list({}), 'Code')).toBe('NoSuchUpload')
  })

  test('open uploads of a bucket, by prefix, in groups, a page at a time', async () => {
    const keys = ['a', 'a', 'dir/b', 'dir/c/d', 'dir0', 'z ü']
    const ids: string[] = []
    for (const key of keys)
      ids.push(await begin(`empty/${encodeURIComponent(key).replaceAll('%2F', '/')}`))
    const list = async (query: Fields) => {
      const response = await s3.send('GET', '/empty', { query: { uploads: '', ...query } })
      const xml = await response.text()
      return {
        keys: elementsIn(xml, 'Key'),
        ids: elementsIn(xml, 'UploadId'),
        prefixes: elementsIn(xml.slice(xml.indexOf('<CommonPrefixes>')), 'Prefix'),
        next: [elementIn(xml, 'NextKeyMarker'), elementIn(xml, 'NextUploadIdMarker')],
        isTruncated: elementIn(xml, 'IsTruncated'),
        code: elementIn(xml, 'Code'),
      }
    }
    expect(await list({})).toMatchObject({ keys, ids, isTruncated: 'false' })
    expect((await list({ prefix: 'dir' })).keys).toEqual(['dir/b', 'dir/c/d', 'dir0'])
    expect(await list({ delimiter: '/' })).toMatchObject({
      keys: ['a', 'a', 'dir0', 'z ü'],
      prefixes: ['dir/'],
    })
    expect(await list({ prefix: 'dir/', delimiter: '/' })).toMatchObject({
      keys: ['dir/b'],
      prefixes: ['dir/c/'],
    })
    expect((await list({ 'encoding-type': 'url' })).keys.at(-1)).toBe('z%20%C3%BC')

    const seen: unknown[] = []
    let markers: Fields = {}
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await list({ delimiter: '/', 'max-uploads': '1', ...markers })
      seen.push(page.keys[0] ?? page.prefixes[0])
      if (page.isTruncated === 'false') break
      const [key = '', id = ''] = page.next
      markers = { 'key-marker': key, 'upload-id-marker': id }
    }
    expect(seen).toEqual(['a', 'a', 'dir/', 'dir0', 'z ü'])
    expect((await list({ 'key-marker': 'a' })).keys).toEqual(keys.slice(2))
    expect((await list({ 'max-uploads': 'x' })).code).toBe('InvalidArgument')
    expect((await list({ 'max-uploads': '0' })).isTruncated).toBe('false')
    for (const [index, key] of keys.entries()) await abort(`empty/${key}`, ids[index] ?? '')
    expect(await list({})).toMatchObject({ keys: [] })
  })

  test('of a bucket that is deleted are gone, and in the way of no later one', async () => {
    expect((await s3.send('PUT', '/brief')).status).toBe(200)
    const ids = [await begin('brief/a'), await begin('brief/b'), await begin('brief/c')]
    expect((await s3.send('DELETE', '/brief')).status).toBe(204)
    const list = (query: Fields) => s3.send('GET', '/brief', { query: { uploads: '', ...query } })
    expect(await refusal(list({}))).toBe('404 NoSuchBucket')
    expect((await s3.send('PUT', '/brief')).status).toBe(200)
    const late = sendPart('brief/a', ids[0] ?? '', { number: 1, body: 'x' })
    expect(await refusal(late)).toBe('404 NoSuchUpload')
    const id = await begin('brief/d')
    for (const query of [{ 'max-uploads': '1' }, { delimiter: '/' }] as const)
      expect(elementsIn(await (await list(query)).text(), 'UploadId')).toEqual([id])
    await abort('brief/d', id)
  })
})
