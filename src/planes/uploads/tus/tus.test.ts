import { beforeEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import fc from 'fast-check'

import { brokenOff, openUploadApp } from '../uploads.fixture.ts'
import { readChecksum, readMetadata } from './tus-fields.ts'

/** Every MUST of tus 1.0.0 and of the extensions that are offered, by the headings of the standard. */
const base = '/api/uploads/tus'
const resumable = { 'Tus-Resumable': '1.0.0' }
const pieceType = { 'Content-Type': 'application/offset+octet-stream' }
const base64 = (text: string) => Buffer.from(text).toString('base64')
const metadata = (path: string) => ({ 'Upload-Metadata': `path ${base64(path)}` })
const path = 'acme/v1/titles/film.txt'
type Fields = Readonly<Record<string, string>>

let world: Awaited<ReturnType<typeof openUploadApp>>
beforeEach(async () => {
  world = await openUploadApp()
})

const ask = (
  method: string,
  url: string,
  { headers, body }: { headers?: Fields; body?: BodyInit } = {},
) =>
  world.ask(method, url, {
    headers: { ...resumable, ...headers },
    ...(body !== undefined && { body }),
  })

async function begin(fields: Fields = { 'Upload-Length': '6' }, to = path): Promise<string> {
  const response = await ask('POST', base, { headers: { ...metadata(to), ...fields } })
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

/** Fields that say where it begins, as the offset given, and the others. */
const at = (offset: number, fields: Fields = {}): Fields => ({
  ...pieceType,
  'Upload-Offset': String(offset),
  ...fields,
})
const append = (url: string, headers: Fields, body: BodyInit) =>
  ask('PATCH', url, { headers, body })

const state = async (url: string) => {
  const { status, headers } = await ask('HEAD', url)
  return { status, offset: headers.get('upload-offset'), length: headers.get('upload-length') }
}

test('a file arrives in two pieces and is stored', async () => {
  const url = await begin()
  const first = await append(url, at(0), 'abc')
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3'])
  expect(await state(url)).toEqual({ status: 200, offset: '3', length: '6' })
  const last = await append(url, at(3), 'def')
  expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '6'])
  expect(await world.contentOf(path)).toBe('abcdef')
  expect(await state(url)).toEqual({ status: 200, offset: '6', length: '6' })
})

test('Tus-Resumable: every response names the version, whatever becomes of the request', async () => {
  const url = await begin()
  const all = [
    await ask('POST', base),
    await ask('HEAD', `${base}/none`),
    await ask('PUT', base),
    await world.ask('POST', base, { headers: { ...resumable, AccessKey: 'wrong' } }),
    await ask('OPTIONS', base),
    await append(url, at(0), 'abc'),
    await append(url, at(7), 'abc'),
    await ask('DELETE', url),
  ]
  expect(all.map(({ status }) => status)).toEqual([400, 404, 405, 401, 204, 204, 409, 204])
  for (const { headers } of all) expect(headers.get('tus-resumable')).toBe('1.0.0')
})

test('Tus-Resumable: another version is 412 with Tus-Version, and nothing is done', async () => {
  const url = await begin()
  for (const version of [{}, { 'Tus-Resumable': '0.2.2' }, { 'Tus-Resumable': '1.0.0, 1.0.0' }])
    for (const [method, to] of [
      ['POST', base],
      ['HEAD', url],
      ['PATCH', url],
      ['DELETE', url],
    ] as const) {
      const headers = { ...metadata(path), ...pieceType, 'Upload-Offset': '0', ...version }
      const body = method === 'PATCH' ? { body: 'abc' } : {}
      const response = await world.ask(method, to, { headers, ...body })
      expect([response.status, response.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    }
  expect(await state(url)).toEqual({ status: 200, offset: '0', length: '6' })
})

test('OPTIONS: tells versions, extensions, the largest size and algorithms, and ignores Tus-Resumable', async () => {
  const url = await begin()
  for (const [to, version] of [
    [base, '1.0.0'],
    [base, '9.9.9'],
    [url, '1.0.0'],
  ] as const) {
    const headers = { 'Tus-Resumable': version }
    const response = await world.ask('OPTIONS', to, { headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('tus-version')).toBe('1.0.0')
    expect(response.headers.get('tus-extension')).toBe(
      'creation,creation-with-upload,creation-defer-length,checksum,termination,expiration',
    )
    expect(response.headers.get('tus-max-size')).toBe('1000')
    expect(response.headers.get('tus-checksum-algorithm')?.split(',')).toContain('sha1')
  }
})

test('X-HTTP-Method-Override: is the method, whatever the request was sent with', async () => {
  const url = await begin()
  const headers = { ...pieceType, 'Upload-Offset': '0', 'X-HTTP-Method-Override': 'PATCH' }
  expect((await ask('POST', url, { headers, body: 'abc' })).status).toBe(204)
  const head = await ask('POST', url, { headers: { 'X-HTTP-Method-Override': 'HEAD' } })
  expect(head.headers.get('upload-offset')).toBe('3')
  expect((await ask('POST', url, { headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status).toBe(
    204,
  )
  expect((await ask('HEAD', url)).status).toBe(404)
})

test('HEAD: always tells the offset, forbids to cache it, and no offset of what is not there', async () => {
  const url = await begin()
  const { headers } = await ask('HEAD', url)
  expect(headers.get('upload-offset')).toBe('0')
  expect(headers.get('cache-control')).toBe('no-store')
  const none = await ask('HEAD', `${base}/none`)
  expect([none.status, none.headers.get('upload-offset')]).toEqual([404, null])
})

test('PATCH: another media type is 415', async () => {
  const url = await begin()
  for (const type of ['application/octet-stream', 'text/plain', '']) {
    const response = await append(url, at(0, { 'Content-Type': type }), 'abc')
    expect(response.status).toBe(415)
  }
  expect((await state(url)).offset).toBe('0')
})

test('PATCH: another offset is 409 and changes nothing; one that is no number is 400', async () => {
  const url = await begin()
  await append(url, at(0), 'abc')
  for (const offset of [0, 2, 4, 1e15])
    expect((await append(url, at(offset), 'xyz')).status).toBe(409)
  for (const offset of ['-1', '1.5', 'x', '', '99999999999999999999'])
    expect((await append(url, at(0, { 'Upload-Offset': offset }), 'xyz')).status).toBe(400)
  expect((await ask('PATCH', url, { headers: pieceType, body: 'xyz' })).status).toBe(400)
  expect((await state(url)).offset).toBe('3')
})

test('PATCH: as much of a body that breaks off as arrived is kept', async () => {
  const url = await begin()
  expect((await append(url, at(0), brokenOff('abcd'))).status).toBe(400)
  expect((await state(url)).offset).toBe('4')
  expect((await append(url, at(4), 'ef')).status).toBe(204)
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('PATCH: a body that goes beyond the length is refused', async () => {
  const url = await begin()
  expect((await append(url, at(0), 'abcdefg')).status).toBe(400)
  expect(await world.contentOf(path)).toBeUndefined()
})

test('creation: the length is a whole number, or said to come later', async () => {
  const wrong: readonly Fields[] = [
    {},
    { 'Upload-Length': '-1' },
    { 'Upload-Length': 'x' },
    { 'Upload-Length': '1.5' },
    { 'Upload-Defer-Length': '0' },
    { 'Upload-Defer-Length': '1', 'Upload-Length': '6' },
  ]
  for (const headers of wrong)
    expect((await ask('POST', base, { headers: { ...metadata(path), ...headers } })).status).toBe(
      400,
    )
})

test('creation: more than Tus-Max-Size is 413', async () => {
  const headers = { ...metadata(path), 'Upload-Length': '1001' }
  expect((await ask('POST', base, { headers })).status).toBe(413)
})

test('creation: 201 with the URL; a file of no bytes is stored at once', async () => {
  const url = await begin({ 'Upload-Length': '0' })
  expect(url).toStartWith(`${base}/`)
  expect(await world.contentOf(path)).toBe('')
  expect(await state(url)).toEqual({ status: 200, offset: '0', length: '0' })
})

test('creation: HEAD gives the metadata back as it came', async () => {
  const field = `path ${base64(path)},filename d29ybGQucGRm, is_confidential,mood `
  const url = await begin({ 'Upload-Length': '6', 'Upload-Metadata': field })
  expect((await ask('HEAD', url)).headers.get('upload-metadata')).toBe(field.trim())
})

test('creation: metadata that is none, that names something twice or no path, is 400', async () => {
  const of = base64(path)
  const wrong = [
    '',
    `path`,
    `path *`,
    `path ${of} ${of}`,
    `path ${of},path ${of}`,
    `path ${of},,x`,
    `path ${base64('acme/v1/titles/')}`,
    `path ${base64('acme/v1/titles/')},filename ${base64('a/b.txt')}`,
    `path ${base64('../etc/passwd')}`,
    `path ${base64('acme/v1/titles/a\r\nb')}`,
    `path ${of},big ${'A'.repeat(9000)}`,
  ]
  for (const field of wrong) {
    const headers = { 'Upload-Length': '6', 'Upload-Metadata': field }
    expect((await ask('POST', base, { headers })).status).toBe(400)
  }
})

test('creation: filename is the last segment where the path ends in a slash, filetype the media type', async () => {
  const field = `path ${base64('acme/v1/titles/')},filename ${base64('ä.bin')},filetype ${base64('text/plain')}`
  const url = await begin({ 'Upload-Length': '3', 'Upload-Metadata': field })
  await append(url, at(0), 'abc')
  expect(await world.contentOf('acme/v1/titles/ä.bin')).toBe('abc')
  const asset = world.dependencies.published.asset('acme/v1/titles/ä.bin')
  expect(asset?.contentType).toBe('text/plain')
})

test('creation: partial uploads are not offered', async () => {
  const headers = { ...metadata(path), 'Upload-Length': '6', 'Upload-Concat': 'partial' }
  expect((await ask('POST', base, { headers })).status).toBe(400)
})

test('creation-defer-length: HEAD says so until the length comes with a piece, and then it stays', async () => {
  const url = await begin({ 'Upload-Defer-Length': '1' })
  const before = await ask('HEAD', url)
  expect(before.headers.get('upload-defer-length')).toBe('1')
  expect(before.headers.get('upload-length')).toBeNull()
  await append(url, at(0), 'abc')
  expect((await append(url, at(3, { 'Upload-Length': '6' }), 'd')).status).toBe(204)
  expect((await append(url, at(4, { 'Upload-Length': '7' }), 'e')).status).toBe(400)
  expect((await append(url, at(4, { 'Upload-Length': '6' }), 'e')).status).toBe(204)
  const after = await ask('HEAD', url)
  expect(after.headers.get('upload-defer-length')).toBeNull()
  expect(after.headers.get('upload-length')).toBe('6')
  await append(url, at(5), 'f')
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('creation-with-upload: takes the first bytes, or all, and tells the offset', async () => {
  const headers = { ...metadata(path), ...pieceType, 'Upload-Length': '6' }
  const some = await ask('POST', base, { headers, body: 'abc' })
  expect([some.status, some.headers.get('upload-offset')]).toEqual([201, '3'])
  const all = await ask('POST', base, { headers, body: 'abcdef' })
  expect([all.status, all.headers.get('upload-offset')]).toEqual([201, '6'])
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('creation-with-upload: another media type is 415, and what breaks off leaves nothing', async () => {
  const headers = { ...metadata(path), 'Upload-Length': '6' }
  const wrong = await ask('POST', base, { headers, body: 'abc' })
  expect(wrong.status).toBe(415)
  const broken = await ask('POST', base, {
    headers: { ...headers, ...pieceType },
    body: brokenOff('abc'),
  })
  expect(broken.status).toBe(400)
  const { store } = world.dependencies
  expect(await store.countOpen({ zone: 'acme' }, world.clock.time)).toBe(0)
})

test('expiration: unfinished uploads say when they expire, in the form of HTTP, and are 410 from then on', async () => {
  const created = await ask('POST', base, { headers: { ...metadata(path), 'Upload-Length': '6' } })
  expect(created.headers.get('upload-expires')).toBe('Fri, 20 Nov 2026 13:00:00 GMT')
  const url = created.headers.get('location') ?? ''
  world.clock.time = new Date('2026-11-20T12:30:00Z')
  const later = await append(url, at(0), 'abc')
  expect(later.headers.get('upload-expires')).toBe('Fri, 20 Nov 2026 13:30:00 GMT')
  world.clock.time = new Date('2026-11-20T14:00:00Z')
  expect((await append(url, at(3), 'def')).status).toBe(410)
  expect(await state(url)).toEqual({ status: 410, offset: null, length: null })
})

test('checksum: a piece is held to it; one that differs is 460 and leaves nothing', async () => {
  const url = await begin()
  const of = (algorithm: string, text: string) => ({
    'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`,
  })
  const wrong = await append(url, at(0, of('sha1', 'abc')), 'abx')
  expect(wrong.status).toBe(460)
  expect(await wrong.json()).toMatchObject({ HttpCode: 460, error: { code: 'ChecksumMismatch' } })
  expect((await state(url)).offset).toBe('0')
  for (const field of ['crc32 AAAA', 'SHA1 AAAA', 'sha1', 'sha1 *', 'sha1 AAAA AAAA', '']) {
    const status = field === 'sha1' ? 460 : 400
    expect((await append(url, at(0, { 'Upload-Checksum': field }), 'abc')).status).toBe(status)
  }
  expect((await state(url)).offset).toBe('0')
  let offset = 0
  for (const [algorithm, text] of [
    ['sha1', 'a'],
    ['sha256', 'b'],
    ['sha512', 'c'],
    ['md5', 'def'],
  ] as const) {
    expect((await append(url, at(offset, of(algorithm, text)), text)).status).toBe(204)
    offset += text.length
  }
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('checksum: of the whole file, by the header that PUT takes', async () => {
  const Checksum = createHash('sha256').update('abcdef').digest('hex')
  const url = await begin({ 'Upload-Length': '6', Checksum })
  expect((await append(url, at(0), 'abcdeX')).status).toBe(460)
  expect(await world.contentOf(path)).toBeUndefined()
  // A client that did not hear of it must not take all bytes being there for success.
  expect(await state(url)).toEqual({ status: 460, offset: null, length: null })
})

test('termination: 204, and 404 from then on', async () => {
  const url = await begin()
  await append(url, at(0), 'abc')
  expect((await ask('DELETE', url)).status).toBe(204)
  for (const method of ['HEAD', 'DELETE']) expect((await ask(method, url)).status).toBe(404)
  expect((await append(url, at(3), 'def')).status).toBe(404)
})

test('what may be stored only under a condition is held to it when it is begun and when it is whole', async () => {
  const url = await begin({ 'Upload-Length': '3', 'If-None-Match': '*' })
  await append(await begin({ 'Upload-Length': '1' }), at(0), 'x')
  expect((await append(url, at(0), 'abc')).status).toBe(412)
  const headers = { ...metadata(path), 'Upload-Length': '3', 'If-None-Match': '*' }
  expect((await ask('POST', base, { headers })).status).toBe(412)
})

test('a newer request takes over from one that hangs', async () => {
  const url = await begin()
  const { promise: hasBegun, resolve } = Promise.withResolvers<void>()
  const hanging = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('ab')),
    pull: () => resolve(),
  })
  const older = append(url, at(0), hanging)
  await hasBegun
  const { offset } = await state(url)
  expect(offset).toBe('2')
  expect((await older).status).toBe(409)
  expect((await append(url, at(2), 'cdef')).status).toBe(204)
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('property: whatever Upload-Metadata holds is read or refused', () => {
  const piece = fc.constantFrom(',', ' ', 'path', 'a', 'YQ==', '=', '\t', '"', 'é')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const read of [readMetadata, readChecksum])
        try {
          read(pieces.join(''))
        } catch (error) {
          expect(error).toMatchObject({ code: 'InvalidParameter' })
        }
    }),
  )
})
