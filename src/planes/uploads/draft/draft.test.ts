import { beforeEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { brokenOff, openUploadApp } from '../uploads.fixture.ts'

/**
 * Every MUST for servers of draft-ietf-httpbis-resumable-upload, by its headings. Those about interim responses
 * (104) have no test: none are sent.
 */
const path = 'acme/v1/titles/film.txt'
const create = `/api/uploads?path=${path}`
const piece = { 'Content-Type': 'application/partial-upload' }
const problem = (name: string) => `https://iana.org/assignments/http-problem-types#${name}`
const digest = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`
type Fields = Readonly<Record<string, string>>

let world: Awaited<ReturnType<typeof openUploadApp>>
beforeEach(async () => {
  world = await openUploadApp()
})

const begin = (headers: Fields, body: BodyInit = '', to = create) =>
  world.ask('POST', to, { headers, body })

async function begun(headers: Fields = {}, body: BodyInit = ''): Promise<string> {
  const response = await begin({ 'Upload-Complete': '?0', ...headers }, body)
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

interface Piece {
  readonly offset: number
  readonly complete: '?0' | '?1'
  readonly headers?: Fields
}

const append = (url: string, body: BodyInit, { offset, complete, headers }: Piece) =>
  world.ask('PATCH', url, {
    headers: { ...piece, 'Upload-Offset': String(offset), 'Upload-Complete': complete, ...headers },
    body,
  })

async function state(url: string) {
  const { status, headers } = await world.ask('HEAD', url)
  return {
    status,
    offset: headers.get('upload-offset'),
    complete: headers.get('upload-complete'),
    length: headers.get('upload-length'),
  }
}

const limits = 'max-size=1000, max-age=3600'

test('creation: one request with all of the file is what storing it came to', async () => {
  const headers = {
    'Upload-Complete': '?1',
    'Content-Length': '6',
    'Content-Type': 'text/markdown',
  }
  const response = await begin(headers, 'abcdef')
  expect(response.status).toBe(201)
  expect(response.headers.get('upload-complete')).toBe('?1')
  expect(response.headers.get('repr-digest')).toBe(digest('abcdef'))
  expect(await response.json()).toMatchObject({
    HttpCode: 201,
    Path: `clients/${path}`,
    IsComplete: true,
    File: { Length: 6, EdgeStatus: 'pending' },
  })
  expect(await world.contentOf(path)).toBe('abcdef')
  expect(world.dependencies.published.asset(path)?.contentType).toBe('text/markdown')
})

test('creation: without Upload-Complete it is an ordinary upload of the whole file', async () => {
  expect((await begin({}, 'abc')).status).toBe(201)
  expect(await world.contentOf(path)).toBe('abc')
})

test('creation: a part is 201 with Location and Upload-Limit, and more parts follow', async () => {
  const response = await begin({ 'Upload-Complete': '?0', 'Upload-Length': '6' }, 'ab')
  expect(response.status).toBe(201)
  expect(response.headers.get('upload-limit')).toBe(limits)
  expect(response.headers.get('upload-complete')).toBe('?0')
  const url = response.headers.get('location') ?? ''
  const second = await append(url, 'cd', { offset: 2, complete: '?0' })
  expect([second.status, second.headers.get('upload-complete')]).toEqual([204, '?0'])
  expect(second.headers.get('upload-offset')).toBe('4')
  const last = await append(url, 'ef', { offset: 4, complete: '?1' })
  expect([last.status, last.headers.get('upload-complete')]).toEqual([201, '?1'])
  expect(await last.json()).toMatchObject({ File: { Path: `clients/${path}`, Length: 6 } })
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('creation: a file of no bytes, at once or in two requests', async () => {
  expect((await begin({ 'Upload-Complete': '?1', 'Content-Length': '0' })).status).toBe(201)
  expect(await world.contentOf(path)).toBe('')
  const other = '/api/uploads?path=acme/v1/titles/other.txt'
  const response = await begin({ 'Upload-Complete': '?0', 'Upload-Length': '0' }, '', other)
  expect(response.headers.get('upload-complete')).toBe('?0')
  const url = response.headers.get('location') ?? ''
  expect((await append(url, '', { offset: 0, complete: '?1' })).status).toBe(201)
  expect(await world.contentOf('acme/v1/titles/other.txt')).toBe('')
})

test('creation: the name of the file is that of Content-Disposition where the path ends in a slash', async () => {
  const to = '/api/uploads?path=acme/v1/titles/'
  for (const [field, name] of [
    [`inline; filename="file name.txt"; filename*=UTF-8''f%C3%BCr%20alle.txt`, 'für alle.txt'],
    ['inline; filename="plain name.txt"', 'plain name.txt'],
    ['attachment; filename=token.txt', 'token.txt'],
  ] as const) {
    expect((await begin({ 'Content-Disposition': field }, 'abc', to)).status).toBe(201)
    expect(await world.contentOf(`acme/v1/titles/${name}`)).toBe('abc')
  }
  for (const field of ['inline', 'inline; filename="../x"', `inline; filename*=UTF-8''%ff`])
    expect((await begin({ 'Content-Disposition': field }, 'abc', to)).status).toBe(400)
  expect((await begin({}, 'abc', '/api/uploads')).status).toBe(400)
})

test('creation: what breaks off before anybody knows its URL leaves nothing', async () => {
  expect((await begin({ 'Upload-Complete': '?1' }, brokenOff('abc'))).status).toBe(400)
  const { store } = world.dependencies
  expect(await store.countOpen({ zone: 'acme' }, world.clock.time)).toBe(0)
})

test('length: one that contradicts another is 400, and said to be inconsistent', async () => {
  const wrong = [
    await begin({ 'Upload-Complete': '?1', 'Content-Length': '6', 'Upload-Length': '7' }, 'abcdef'),
    await append(await begun({ 'Upload-Length': '6' }), 'abc', {
      offset: 0,
      complete: '?1',
      headers: { 'Content-Length': '3' },
    }),
    await append(await begun({ 'Upload-Length': '6' }), 'abc', {
      offset: 0,
      complete: '?0',
      headers: { 'Upload-Length': '7' },
    }),
  ]
  for (const response of wrong) {
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      type: problem('inconsistent-upload-length'),
      status: 400,
      error: { code: 'UploadLengthMismatch' },
    })
  }
  expect(await world.contentOf(path)).toBeUndefined()
})

test('length: known as soon as a request that completes the upload announces its content', async () => {
  const url = await begun({}, 'abc')
  expect((await state(url)).length).toBeNull()
  const headers = { 'Content-Length': '3' }
  await append(url, brokenOff('d'), { offset: 3, complete: '?1', headers })
  expect(await state(url)).toEqual({ status: 200, offset: '4', complete: '?0', length: '6' })
})

test('fields: other values than they may have are as if they were not there', async () => {
  const url = await begun()
  for (const offset of ['-1', '1.5', '"0"', '?1', 'x', '0, 0']) {
    const headers = { 'Upload-Offset': offset }
    expect((await append(url, 'abc', { offset: 0, complete: '?0', headers })).status).toBe(400)
  }
  for (const complete of ['1', 'true', '?2', '']) {
    const headers = { 'Upload-Complete': complete }
    expect((await append(url, 'abc', { offset: 0, complete: '?0', headers })).status).toBe(400)
  }
  for (const length of ['-1', 'x', '1.5']) {
    const headers = { 'Upload-Complete': '?0', 'Upload-Length': length }
    const response = await begin(headers)
    expect([response.status, response.headers.get('upload-length')]).toEqual([201, null])
  }
  const parametrised = { 'Upload-Offset': '0;a=1', 'Upload-Complete': '?0;b' }
  expect(
    (await append(url, 'abc', { offset: 0, complete: '?0', headers: parametrised })).status,
  ).toBe(204)
})

test('limits: what is larger is 413 with Upload-Limit', async () => {
  const response = await begin({ 'Upload-Complete': '?0', 'Upload-Length': '1001' })
  expect([response.status, response.headers.get('upload-limit')]).toEqual([413, 'max-size=1000'])
  const url = await begun({}, 'a'.repeat(999))
  const more = await append(url, 'bc', { offset: 999, complete: '?0' })
  expect([more.status, more.headers.get('upload-limit')]).toEqual([413, 'max-size=1000'])
})

test('OPTIONS: names the media type of pieces and the limits', async () => {
  for (const to of [create, await begun()]) {
    const { status, headers } = await world.ask('OPTIONS', to)
    expect(status).toBe(204)
    expect(headers.get('accept-patch')).toBe('application/partial-upload')
    expect(headers.get('upload-limit')).toBe(limits)
  }
})

test('offset retrieval: offset, completeness, length and limits, and nothing to be cached', async () => {
  const url = await begun({ 'Upload-Length': '6' }, 'ab')
  for (const method of ['HEAD', 'GET']) {
    const { status, headers } = await world.ask(method, url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'upload-offset': '2',
      'upload-complete': '?0',
      'upload-length': '6',
      'upload-limit': limits,
      'cache-control': 'no-store',
    })
  }
  await append(url, 'cdef', { offset: 2, complete: '?1' })
  expect(await state(url)).toEqual({ status: 200, offset: '6', complete: '?1', length: '6' })
  expect(await (await world.ask('GET', url)).json()).toMatchObject({ IsComplete: true })
})

test('offset retrieval: all bytes may be there, and the upload not be complete', async () => {
  const url = await begun({ 'Upload-Length': '3' }, 'abc')
  expect(await state(url)).toEqual({ status: 200, offset: '3', complete: '?0', length: '3' })
  expect(await world.contentOf(path)).toBeUndefined()
  expect((await append(url, '', { offset: 3, complete: '?1' })).status).toBe(201)
  expect(await world.contentOf(path)).toBe('abc')
})

test('append: another offset is 409 with the right one, and changes nothing', async () => {
  const url = await begun({}, 'abc')
  for (const offset of [0, 2, 4, 12_500_000]) {
    const response = await append(url, 'xyz', { offset, complete: '?0' })
    expect(response.status).toBe(409)
    expect(response.headers.get('upload-offset')).toBe('3')
    expect(response.headers.get('upload-complete')).toBe('?0')
    expect(await response.json()).toMatchObject({
      type: problem('mismatching-upload-offset'),
      'expected-offset': 3,
      'provided-offset': offset,
    })
  }
  expect((await state(url)).offset).toBe('3')
})

test('append: another media type is 415', async () => {
  const url = await begun()
  const headers = { 'Content-Type': 'application/octet-stream' }
  expect((await append(url, 'abc', { offset: 0, complete: '?0', headers })).status).toBe(415)
})

test('append: what is complete takes no more, and says which of both it is', async () => {
  const url = await begun({}, 'abc')
  await append(url, 'def', { offset: 3, complete: '?1' })
  const more = await append(url, 'ghi', { offset: 6, complete: '?1' })
  expect(more.status).toBe(400)
  expect(await more.json()).toMatchObject({ type: problem('inconsistent-upload-length') })
  for (const offset of [6, 0]) {
    const again = await append(url, '', { offset, complete: '?1' })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ type: problem('completed-upload') })
  }
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('append: what goes beyond the length is refused, and the upload with it', async () => {
  const url = await begun({ 'Upload-Length': '6' }, 'abc')
  const response = await append(url, 'defg', { offset: 3, complete: '?0' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ type: problem('inconsistent-upload-length') })
  expect((await state(url)).status).toBe(404)
})

test('append: as much of a body that breaks off as arrived is kept, and the upload is not complete', async () => {
  const url = await begun()
  await append(url, brokenOff('abcd'), { offset: 0, complete: '?1' })
  expect(await state(url)).toMatchObject({ offset: '4', complete: '?0' })
  expect(await world.contentOf(path)).toBeUndefined()
  expect((await append(url, 'ef', { offset: 4, complete: '?1' })).status).toBe(201)
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('append: a file that cannot be stored is refused as complete', async () => {
  const url = await begun({ 'If-None-Match': '*' }, 'abc')
  await begin({}, 'somebody was faster')
  const response = await append(url, 'def', { offset: 3, complete: '?1' })
  expect([response.status, response.headers.get('upload-complete')]).toEqual([412, '?1'])
  expect((await world.ask('HEAD', url)).status).toBe(412)
})

test('cancellation: 204, and nothing is there from then on', async () => {
  const url = await begun({}, 'abc')
  expect((await world.ask('DELETE', url)).status).toBe(204)
  for (const method of ['HEAD', 'GET', 'DELETE'])
    expect((await world.ask(method, url)).status).toBe(404)
  expect((await append(url, 'def', { offset: 3, complete: '?1' })).status).toBe(404)
})

test('digests: of the content a piece is held to, of the representation the file', async () => {
  const url = await begun({ 'Repr-Digest': digest('abcdef') })
  const wrong = { 'Content-Digest': digest('abx') }
  expect((await append(url, 'abc', { offset: 0, complete: '?0', headers: wrong })).status).toBe(400)
  expect((await state(url)).offset).toBe('0')
  const right = { 'Content-Digest': digest('abc') }
  expect((await append(url, 'abc', { offset: 0, complete: '?0', headers: right })).status).toBe(204)
  const bad = await append(url, 'deX', { offset: 3, complete: '?1' })
  expect([bad.status, bad.headers.get('upload-complete')]).toEqual([400, '?1'])
  expect(await world.contentOf(path)).toBeUndefined()
})

test('concurrency: a newer request takes over, and the offset that it is told holds', async () => {
  const url = await begun()
  const { promise: hasBegun, resolve } = Promise.withResolvers<void>()
  const hanging = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('ab')),
    pull: () => resolve(),
  })
  const older = append(url, hanging, { offset: 0, complete: '?1' })
  await hasBegun
  expect(await state(url)).toMatchObject({ offset: '2', complete: '?0' })
  expect((await older).status).toBe(409)
  expect((await append(url, 'cdef', { offset: 2, complete: '?1' })).status).toBe(201)
  expect(await world.contentOf(path)).toBe('abcdef')
})

test('versions: those that can be spoken are, others are refused before anything is taken', async () => {
  for (const version of ['6', '7', '8', '9']) {
    const headers = { 'Upload-Draft-Interop-Version': version }
    const response = await begin({ 'Upload-Complete': '?0', ...headers })
    expect(response.status).toBe(201)
    expect(response.headers.get('upload-draft-interop-version')).toBe('9')
  }
  for (const version of ['3', '5', '10', 'x', '']) {
    const headers = { 'Upload-Draft-Interop-Version': version, 'Upload-Incomplete': '?1' }
    const response = await begin(headers, 'part of it')
    expect(response.status).toBe(400)
  }
  expect(await world.contentOf(path)).toBeUndefined()
})

test('uploads that expired are 410', async () => {
  const url = await begun({}, 'abc')
  world.clock.time = new Date('2026-11-20T14:00:00Z')
  expect((await state(url)).status).toBe(410)
  expect((await append(url, 'def', { offset: 3, complete: '?1' })).status).toBe(410)
})

test('pages of named origins may send and read the fields of both protocols', async () => {
  const Origin = 'https://app.example'
  for (const to of [create, '/api/uploads/tus', await begun()]) {
    const headers = { Origin, 'Access-Control-Request-Method': 'PATCH' }
    const preflight = await world.ask('OPTIONS', to, { headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(Origin)
    for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE'])
      expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ')
    for (const name of [
      'Tus-Resumable',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
      'Upload-Defer-Length',
      'Upload-Checksum',
      'Upload-Complete',
      'Upload-Draft-Interop-Version',
      'X-HTTP-Method-Override',
      'Content-Type',
      'Content-Disposition',
      'Authorization',
      'AccessKey',
    ])
      expect(allowed).toContain(name)
  }
  const exposed = (await begin({ Origin, 'Upload-Complete': '?0' })).headers
    .get('access-control-expose-headers')
    ?.split(', ')
  for (const name of ['Location', 'Upload-Offset', 'Upload-Complete', 'Upload-Limit'])
    expect(exposed).toContain(name)
})
