import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
})

afterAll(() => service[Symbol.asyncDispose]())

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
const put = (path: string, body: string, headers: Record<string, string> = {}) =>
  service.storage('PUT', path, { body, headers })
const batch = (files: unknown) =>
  service.storage('POST', 'batch', {
    body: JSON.stringify({ files }),
    headers: { 'Content-Type': 'application/json' },
  })
const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a new file is 201 and pending, an overwritten one purging, an unchanged one says so', async () => {
  const created = await put('clients/acme/v1/logos/a.svg', '<svg/>')
  expect(created.status).toBe(201)
  expect(created.headers.get('etag')).toBe(`"${sha256('<svg/>')}"`)
  expect(await created.json()).toMatchObject({
    HttpCode: 201,
    Message: expect.any(String),
    Path: 'clients/acme/v1/logos/a.svg',
    Length: 6,
    Checksum: null,
    DateCreated: expect.stringMatching(/^\d{4}-.*Z$/u),
    EdgeStatus: 'pending',
    EdgeNote: expect.any(String),
  })
  expect(await (await put('acme/v1/logos/a.svg', '<svg />')).json()).toMatchObject({
    HttpCode: 201,
    EdgeStatus: 'purging',
  })
  expect(await (await put('/acme/v1/logos/a.svg', '<svg />')).json()).toMatchObject({
    HttpCode: 201,
    EdgeStatus: 'purging',
    EdgeNote: expect.stringContaining('unchanged'),
  })
})

test('a checksum is verified in either form, and answered when it was sent', async () => {
  const hex = sha256('checked')
  const digest = `sha-256=:${Buffer.from(hex, 'hex').toString('base64')}:`
  const byHex = await put('acme/v1/logos/c.txt', 'checked', { Checksum: hex.toUpperCase() })
  expect(await byHex.json()).toMatchObject({ HttpCode: 201, Checksum: hex })
  const byDigest = await put('acme/v1/logos/d.txt', 'checked', { 'Content-Digest': digest })
  expect(await byDigest.json()).toMatchObject({ HttpCode: 201, Checksum: hex })

  const wrong = await put('acme/v1/logos/wrong.txt', 'other', { Checksum: hex })
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({
    error: { code: 'ChecksumMismatch' },
    Expected: hex,
    Received: sha256('other'),
  })
  expect((await service.storage('GET', 'acme/v1/logos/wrong.txt')).status).toBe(404)
  for (const Checksum of ['abc', 'g'.repeat(64), ''])
    expect((await put('acme/v1/logos/e.txt', 'x', { Checksum })).status).toBe(400)
  for (const field of ['sha-256=abc', 'sha-256=:!!:'])
    expect((await put('acme/v1/logos/e.txt', 'x', { 'Content-Digest': field })).status).toBe(400)
})

test('the type is the declared one where it says something, else the name’s', async () => {
  const typeOf = async (name: string, type?: string) => {
    await put(`acme/v1/titles/${name}`, 'x', type === undefined ? {} : { 'Content-Type': type })
    return (await service.storage('HEAD', `acme/v1/titles/${name}`)).headers.get('content-type')
  }
  expect(await typeOf('a.svg', 'application/x-www-form-urlencoded')).toBe('image/svg+xml')
  expect(await typeOf('b.svg', 'application/octet-stream')).toBe('image/svg+xml')
  expect(await typeOf('c.bin', 'image/png')).toBe('image/png')
  expect(await typeOf('d.svg', 'nonsense')).toBe('image/svg+xml')
})

test('a corrected type alone is recorded', async () => {
  await put('acme/v1/titles/retyped', 'same bytes', { 'Content-Type': 'image/png' })
  await put('acme/v1/titles/retyped', 'same bytes', { 'Content-Type': 'image/webp' })

  const head = await service.storage('HEAD', 'acme/v1/titles/retyped')
  expect(head.headers.get('content-type')).toBe('image/webp')
})

test('a file is read as it was committed, with validators, ranges and preconditions', async () => {
  await put('acme/v1/logos/digits.txt', '0123456789')
  const get = (headers: Record<string, string> = {}) =>
    service.storage('GET', 'acme/v1/logos/digits.txt', { headers })
  const whole = await get()
  expect(await whole.text()).toBe('0123456789')
  expect(whole.headers.get('checksum')).toBe(sha256('0123456789'))
  expect(whole.headers.get('cache-control')).toBe('private, no-cache')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(whole.headers.get('last-modified')).not.toBeNull()
  const etag = whole.headers.get('etag') ?? ''

  const part = await get({ Range: 'bytes=2-4' })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ])
  expect((await get({ Range: 'bytes=10-' })).status).toBe(416)
  expect((await get({ 'If-None-Match': etag })).status).toBe(304)
  expect((await get({ 'If-Match': '"other"' })).status).toBe(412)
})

test('HEAD tells what GET would, and 404 without a body', async () => {
  await put('acme/v1/logos/headed.txt', 'headed')
  const head = await service.storage('HEAD', 'acme/v1/logos/headed.txt')
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe('6')
  expect(await head.text()).toBe('')
  const missing = await service.storage('HEAD', 'acme/v1/logos/nope.txt')
  expect(missing.status).toBe(404)
  expect(await missing.text()).toBe('')
})

test('If-Match and If-None-Match guard writes against lost updates', async () => {
  const path = 'acme/v1/logos/guarded.txt'
  expect((await put(path, 'one', { 'If-None-Match': '*' })).status).toBe(201)
  expect((await put(path, 'two', { 'If-None-Match': '*' })).status).toBe(412)
  expect((await put(path, 'two', { 'If-Match': `"${sha256('zero')}"` })).status).toBe(412)
  expect((await put(path, 'two', { 'If-Match': `"${sha256('one')}"` })).status).toBe(201)
  const remove = (etag: string) =>
    service.storage('DELETE', path, { headers: { 'If-Match': etag } })
  expect((await remove(`"${sha256('one')}"`)).status).toBe(412)
  expect((await remove(`"${sha256('two')}"`)).status).toBe(200)
})

test('of many that create one path at once with If-None-Match, one does', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      put('acme/v1/logos/raced.txt', String(index), { 'If-None-Match': '*' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19)
})

test('a directory lists directories first, then files by name, with every field', async () => {
  await service.createZone('listed')
  await put('listed/v1/zeta.txt', 'z')
  await put('listed/v1/icons/a.svg', '<svg/>')
  await put('listed/v1/icons/b.svg', '<svg/>')
  const entries = await (await service.storage('GET', 'clients/listed/v1/')).json()
  expect(entries.map((entry: { ObjectName: string }) => entry.ObjectName)).toEqual([
    'banners',
    'github',
    'icons',
    'logos',
    'titles',
    'zeta.txt',
  ])
  expect(entries.at(-1)).toEqual({
    Guid: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
    ),
    StorageZoneName: 'listed',
    Path: '/clients/listed/v1/',
    ObjectName: 'zeta.txt',
    Length: 1,
    LastChanged: expect.any(String),
    ServerId: 0,
    ArrayNumber: 0,
    IsDirectory: false,
    UserId: 'listed',
    ContentType: 'text/plain; charset=utf-8',
    DateCreated: expect.any(String),
    StorageZoneId: 0,
    Checksum: sha256('z'),
    ReplicatedZones: '',
  })
  expect(entries[0]).toMatchObject({
    IsDirectory: true,
    Length: 0,
    ContentType: '',
    Checksum: null,
  })
  const again = await (await service.storage('GET', 'listed/v1')).json()
  expect(again.map((entry: { Guid: string }) => entry.Guid)).toEqual(
    entries.map((entry: { Guid: string }) => entry.Guid),
  )
  const unknown = await service.storage('GET', 'listed/v1/nothing/')
  expect([unknown.status, await unknown.json()]).toEqual([200, []])
})

test('deleting is 200 and purging; absent 404; a directory 400', async () => {
  await put('acme/v1/logos/doomed/x.txt', 'x')
  const deleted = await service.storage('DELETE', 'acme/v1/logos/doomed/x.txt')
  expect(await deleted.json()).toMatchObject({
    HttpCode: 200,
    Path: 'clients/acme/v1/logos/doomed/x.txt',
    EdgeStatus: 'purging',
    EdgeNote: expect.any(String),
  })
  expect((await service.storage('DELETE', 'acme/v1/logos/doomed/x.txt')).status).toBe(404)
  const directory = await service.storage('DELETE', 'acme/v1/logos')
  expect(directory.status).toBe(400)
  expect((await service.storage('DELETE', 'acme/v1/logos/')).status).toBe(400)
})

test.each([
  ['acme/v1/logos/%zz.svg', 400, 'InvalidParameter'],
  ['acme/v1/logos/%00.svg', 400, 'InvalidParameter'],
  ['acme/v1/logos/a%5Cb.svg', 400, 'InvalidParameter'],
  ['acme/v1/logos/..%2F..%2Fx', 400, 'InvalidParameter'],
  ['acme/v1//x.svg', 400, 'InvalidParameter'],
  ['acme/v1/.git/config', 400, 'InvalidParameter'],
  ['acme/v1/.GITignore', 400, 'InvalidParameter'],
  ['acme/v1/logos/dot.', 400, 'InvalidParameter'],
  ['acme/zone.json', 400, 'InvalidParameter'],
  ['_headers', 400, 'InvalidParameter'],
  [`acme/v1/${'a'.repeat(256)}`, 400, 'InvalidParameter'],
  [`acme/v1/${'a/'.repeat(520)}b`, 400, 'InvalidParameter'],
  ['nobody/v1/logos/a.svg', 404, 'ZoneNotFound'],
])('PUT %s is %d %s, and nothing is stored', async (path, status, code) => {
  const response = await put(path, 'x')
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code }, HttpCode: status })
})

test('a path that a clone elsewhere could not hold beside another is a conflict', async () => {
  await put('acme/v1/icons/Case.svg', 'x')
  await put('acme/v1/icons/caf%C3%A9.svg', 'x')
  for (const path of [
    'acme/v1/icons/case.svg',
    'acme/v1/Icons/other.svg',
    'acme/v1/icons/CAF%C3%89.svg',
    'acme/v1/icons/Case.svg/deeper.svg',
    'acme/v1/icons',
  ]) {
    const response = await put(path, 'y')
    expect({ path, status: response.status }).toEqual({ path, status: 409 })
    expect(await response.json()).toMatchObject({ error: { code: 'PathConflict' } })
  }
  // The same name in its other Unicode form is the same name.
  expect((await put('acme/v1/icons/cafe%CC%81.svg', 'z')).status).toBe(201)
})

test('a file over 25 MB is 413 with MaxSize', async () => {
  const body = new Uint8Array(26_214_401)
  const response = await service.storage('PUT', 'acme/v1/banners/big.mp4', { body })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({
    error: { code: 'PayloadTooLarge' },
    MaxSize: 26_214_400,
  })
  const exact = await service.storage('PUT', 'acme/v1/banners/big.mp4', {
    body: new Uint8Array(26_214_400),
  })
  expect(exact.status).toBe(201)
})

test('a batch is one commit, and answers its canonical paths in order', async () => {
  const response = await batch([
    { path: '/clients/acme/v1/github/b.txt', content: base64('b') },
    { path: 'acme/v1/github/a.txt', content: 'ä', encoding: 'utf-8' },
  ])
  expect(response.status).toBe(201)
  const answer = await response.json()
  expect(answer).toMatchObject({
    HttpCode: 201,
    Files: ['clients/acme/v1/github/b.txt', 'clients/acme/v1/github/a.txt'],
    EdgeStatus: 'pending',
    Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
  })
  const one = await service.fetch('/api/assets/metadata?path=acme/v1/github/a.txt', {
    headers: { AccessKey: 'test-access-key-0123456789' },
  })
  expect(await one.json()).toMatchObject({ Commit: answer.Commit, Size: 2 })
})

test.each([
  ['no files', []],
  ['too many files', Array.from({ length: 51 }, (_, i) => ({ path: `acme/v1/${i}`, content: '' }))],
  ['not an array', 'x'],
  ['bad base64', [{ path: 'acme/v1/x', content: '!!!!' }]],
  ['bad base64 in a long content', [{ path: 'acme/v1/x', content: '!'.repeat(5000) }]],
  ['an unknown encoding', [{ path: 'acme/v1/x', content: '', encoding: 'hex' }]],
  ['a bad path', [{ path: '../x', content: '' }]],
  ['no path', [{ content: '' }]],
  ['no content', [{ path: 'acme/v1/x' }]],
])('a batch with %s is 400', async (_what, files) => {
  const response = await batch(files)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'InvalidParameter' } })
})

test('every fault of a batch is told, by index, and nothing of it is stored', async () => {
  const response = await batch([
    { path: 'acme/v1/titles/good.txt', content: base64('good') },
    { path: 'acme/v1/titles/good.txt', content: base64('twice') },
    { path: 'acme/v1/.git/x', content: '' },
    { path: 'acme/v1/titles/bad.txt', content: '#' },
  ])
  const { error } = await response.json()
  expect(error.details.map((detail: { target: string }) => detail.target)).toEqual([
    'files[1].path',
    'files[2].path',
    'files[3].content',
  ])
  expect((await service.storage('GET', 'acme/v1/titles/good.txt')).status).toBe(404)
})

test('a batch whose files exclude each other is a conflict and stores nothing', async () => {
  for (const paths of [
    ['acme/v1/titles/twin.txt', 'acme/v1/titles/TWIN.txt'],
    ['acme/v1/titles/node', 'acme/v1/titles/node/leaf'],
  ]) {
    const response = await batch(paths.map((path) => ({ path, content: '' })))
    expect(response.status).toBe(409)
  }
  expect((await service.storage('GET', 'acme/v1/titles/twin.txt')).status).toBe(404)
})

test('a batch that cannot be stored says which file of it is why', async () => {
  await service.storage('PUT', 'acme/v1/titles/stored.txt', { body: 'x' })
  const good = { path: 'acme/v1/titles/fine.txt', content: '' }
  for (const [path, status, code] of [
    ['nobody/v1/titles/a.txt', 404, 'ZoneNotFound'],
    ['acme/v1/titles/FINE.txt', 409, 'PathConflict'],
    ['acme/v1/titles/Stored.txt', 409, 'PathConflict'],
    ['acme/v1/titles/stored.txt/below', 409, 'PathConflict'],
  ] as const) {
    const response = await batch([good, good, { path, content: '' }].slice(1))
    const { error } = await response.json()
    expect([response.status, error.code]).toEqual([status, code])
    expect(error.target).toBe('files[1].path')
    expect(error.details).toMatchObject([{ code, target: 'files[1].path' }])
  }
})

test('the target of a refusal is the name of a field, never what was sent in it', async () => {
  const targets = []
  for (const response of [
    await service.storage('GET', 'nobody/v1/a.txt'),
    await service.storage('GET', 'acme/v1/logos/none.txt'),
    await service.storage('DELETE', 'acme/v1/logos/none.txt'),
    await service.storage('PUT', 'nobody/v1/logos/a.txt', { body: 'x' }),
    await service.storage('PUT', 'acme/v1/titles/STORED.txt', { body: 'x' }),
    await service.core('GET', 'zones/nobody'),
    await service.fetch('/api/assets/metadata?path=acme/v1/none', { headers: access }),
  ])
    targets.push((await response.json()).error.target)
  expect(targets).toEqual(['zone', 'path', 'path', 'zone', 'path', 'zone', 'path'])
})

test('a malformed or too deeply nested batch is 400', async () => {
  for (const body of ['', '{', 'null', '[]', `{"files":${'['.repeat(40)}${']'.repeat(40)}}`]) {
    const response = await service.storage('POST', 'batch', { body })
    expect({ body, status: response.status }).toEqual({ body, status: 400 })
  }
})

test('a suspended zone is read but not written', async () => {
  await service.createZone('paused')
  await put('paused/v1/logos/a.txt', 'a')
  await service.core('PATCH', 'zones/paused', { Suspended: true })
  const refused = await put('paused/v1/logos/b.txt', 'b')
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ error: { code: 'ZoneSuspended' } })
  expect((await service.storage('DELETE', 'paused/v1/logos/a.txt')).status).toBe(403)
  expect((await service.storage('GET', 'paused/v1/logos/a.txt')).status).toBe(200)
  await service.core('PATCH', 'zones/paused', { Suspended: false })
  expect((await put('paused/v1/logos/b.txt', 'b')).status).toBe(201)
})

test('no path, however odd, causes a fault of the service', async () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('..', '.', '.git', '%2e%2e', 'a', 'é', 'logos', '\u202e', ' ', 'x.'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(segment, { maxLength: 6 }),
      fc.boolean(),
      async (segments, encode) => {
        const path = segments.map((part) => (encode ? encodeURIComponent(safe(part)) : safe(part)))
        for (const method of ['PUT', 'GET', 'DELETE']) {
          const init = method === 'PUT' ? { body: 'x' } : {}
          const response = await service.storage(method, `acme/v1/${path.join('/')}`, init)
          expect(response.status).toBeLessThan(500)
        }
      },
    ),
    { numRuns: 60 },
  )
})

/** What a URL can carry at all. */
const safe = (text: string) => text.toWellFormed().replace(/[?#]/gu, '')
